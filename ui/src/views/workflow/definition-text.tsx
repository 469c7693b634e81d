import { CopyButton } from "../../components/page.tsx";

/** As it was written, with its lines numbered. */
export function DefinitionText({ text }: { readonly text: string }) {
  return (
    <div className="m-4 rounded-card border border-border bg-surface md:m-5">
      <div className="flex justify-end border-b border-border px-2 py-1">
        <CopyButton isSmall text={text}>
          Copy
        </CopyButton>
      </div>
      <div tabIndex={0} role="region" aria-label="Definition" className="overflow-x-auto">
        <ol data-testid="definition" className="w-max py-2 font-mono text-code">
          {text
            .replace(/\n$/, "")
            .split("\n")
            .map((line, at) => (
              <li key={at} className="flex pe-4">
                <span className="w-12 shrink-0 pe-3 text-end text-text3 select-none">{at + 1}</span>
                <span className="whitespace-pre">{line}</span>
              </li>
            ))}
        </ol>
      </div>
    </div>
  );
}
