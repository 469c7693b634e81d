import type { TriedServer } from "../../api/tools.ts";
import { Problem } from "../../api/request.ts";
import { StatusPill } from "../../components/status.tsx";

/** What a test has shown: the tools that it brings, or why there are none. */
export function TriedResult({ tried }: { readonly tried: TriedServer }) {
  if (!tried.isOk)
    return (
      <div role="alert" data-testid="tried" data-ok={false} className="rounded-card bg-danger-tint p-3 text-danger">
        <p className="font-medium">It does not work as it is said here.</p>
        <p className="break-words whitespace-pre-wrap">{tried.problem}</p>
      </div>
    );
  const { name, version, tools } = tried;
  return (
    <section
      aria-label="What the test found"
      data-testid="tried"
      data-ok
      className="rounded-card border border-border p-3"
    >
      <p role="status" className="flex flex-wrap items-center gap-2">
        <StatusPill shown={{ token: "done", word: "it works" }} />
        {name === null ? null : <span className="min-w-0 break-words">{`${name} ${version ?? ""}`.trim()}</span>}
        <span className="text-text2">
          {tools.length} {tools.length === 1 ? "tool" : "tools"}
        </span>
      </p>
      <ul className="mt-2 max-h-52 overflow-auto" tabIndex={0} aria-label="Its tools">
        {tools.map((tool) => (
          <li key={tool.name} className="py-1">
            <code className="break-all">{tool.name}</code>
            {tool.description === null ? null : (
              <span className="block break-words text-meta text-text2">{tool.description}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** As it is told. */
export function ServerRefusal({ error }: { readonly error: Error }) {
  const hint = error instanceof Problem ? error.hint : null;
  return (
    <div role="alert" data-testid="refused" className="rounded-card bg-danger-tint p-3 text-danger">
      <p className="break-words">{error.message}</p>
      {hint === null ? null : <p className="break-words text-text">{hint}</p>}
    </div>
  );
}
