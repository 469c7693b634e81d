// The very definition by which this run goes, and how it differs from what is current.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { definitionQuery, type Definition } from "../../../api/run-values.ts";
import { workflowQuery } from "../../../api/workflows.ts";
import { Choice } from "../../../components/choice.tsx";
import { Diff } from "../../../components/diff.tsx";
import { CopyButton, Loaded } from "../../../components/page.tsx";
import type { Outline } from "../../../model/run.ts";
import { runRoute, useShow } from "../route.ts";

export function DefinitionTab({ outline }: { readonly outline: Outline }) {
  const query = useQuery(definitionQuery(outline));
  return <Loaded query={query}>{(definition) => <DefinitionView outline={outline} definition={definition} />}</Loaded>;
}

function textOf({ text, flow }: Definition): string {
  return text ?? JSON.stringify(flow, null, 2);
}

function DefinitionView({
  outline: { version, run },
  definition,
}: {
  readonly outline: Outline;
  readonly definition: Definition;
}) {
  const view = runRoute.useSearch().compare === "current" ? "diff" : "text";
  const show = useShow();
  const text = textOf(definition);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-1 text-meta text-text2">
        {version === null ? (
          <span>Never saved; of the flow {run.flow.slice(0, 12)}</span>
        ) : (
          <>
            <Choice
              label="What to show"
              choices={[
                { id: "text", word: "This version" },
                { id: "diff", word: "Difference to current" },
              ]}
              chosen={view}
              onChoose={(id) => show({ compare: id === "diff" ? "current" : undefined })}
            />
            <span>
              {version.name}, version {version.version}
            </span>
            <Link
              to="/library/$name/edit"
              params={{ name: version.name }}
              className="inline-flex min-h-6 items-center underline hover:text-text"
            >
              Edit (E)
            </Link>
          </>
        )}
        <span className="ms-auto">
          <CopyButton isSmall text={text}>
            Copy
          </CopyButton>
        </span>
      </div>
      <div tabIndex={0} role="region" aria-label="Definition" className="min-h-0 flex-1 overflow-auto">
        {view === "diff" && version !== null ? (
          <ToCurrent name={version.name} version={version.version} definition={definition} />
        ) : (
          <Lines text={text} />
        )}
      </div>
    </div>
  );
}

function Lines({ text }: { readonly text: string }) {
  return (
    <ol data-testid="definition" className="py-2 font-mono text-code">
      {text.split("\n").map((line, at) => (
        <li key={at} className="flex">
          <span className="w-12 shrink-0 pe-3 text-end text-text3 select-none">{at + 1}</span>
          <span className="whitespace-pre">{line}</span>
        </li>
      ))}
    </ol>
  );
}

type ToCurrentProps = { readonly name: string; readonly version: number; readonly definition: Definition };

function ToCurrent({ name, version, definition }: ToCurrentProps) {
  // Nothing tells the page when a workflow is saved: whoever compares is to have what is current now.
  const query = useQuery({ ...workflowQuery(name), staleTime: 0 });
  return (
    <Loaded query={query}>
      {(current) => {
        // Texts are compared with texts, else what they stand for.
        const areTexts = definition.text !== null && current.text !== null;
        const before = areTexts ? (definition.text ?? "") : JSON.stringify(definition.flow, null, 2);
        const after = areTexts ? (current.text ?? "") : JSON.stringify(current.flow, null, 2);
        if (current.version === version) return <p className="p-4 text-text2">This is the current version.</p>;
        return (
          <Diff
            before={before}
            after={after}
            beforeName={`version ${version}`}
            afterName={`version ${current.version}`}
          />
        );
      }}
    </Loaded>
  );
}
