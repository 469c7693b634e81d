// Where each value of a step's input came from: what its expression reads, each a link to where that can be looked at.

import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { definitionQuery } from "../../../api/run-values.ts";
import type { Outline, Step } from "../../../model/run.ts";
import { sourcesOf, type Source } from "../../../model/value-sources.ts";
import type { RunSearch } from "../route.ts";

type SourcesProps = {
  readonly outline: Outline;
  readonly row: Step;
  /** What is below the inspector is hidden by it. */
  readonly isInSheet: boolean;
};

export function Sources({ outline, row, isInSheet }: SourcesProps) {
  // Nothing is missing while it loads: it says more about what is there.
  const { data } = useQuery(definitionQuery(outline));
  const found = data === undefined ? [] : sourcesOf(data.flow, row, outline);
  if (found.length === 0) return null;
  return (
    <section aria-label="Where each value came from" data-testid="sources" className="flex min-w-0 flex-col gap-1">
      <h3 className="text-table font-medium">Where each value came from</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-table">
        {found.map(({ argument, sources }) => (
          <div key={argument} className="contents">
            <dt className="mono max-w-40 pt-1 break-words text-text2">{argument === "" ? "all of it" : argument}</dt>
            <dd className="flex min-w-0 flex-col">
              {sources.map((source) => (
                <OneSource key={source.text} source={source} isInSheet={isInSheet} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function OneSource({ source, isInSheet }: { readonly source: Source; readonly isInSheet: boolean }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <code className="min-w-0 break-words">{source.text}</code>
      {source.leads.length === 0 ? <span className="text-text2">of a step that is not in this flow</span> : null}
      {source.leads.map((lead) =>
        lead.kind === "told" ? (
          <span key={lead.word} className="text-text2">
            {lead.word}
          </span>
        ) : (
          <Link
            key={lead.kind === "step" ? lead.key : lead.word}
            from="/runs/$id"
            to="/runs/$id"
            params={(same) => same}
            search={(old: RunSearch) => ({ ...old, ...searchOf(lead, isInSheet) })}
            replace
            resetScroll={false}
            className="inline-flex min-h-6 min-w-0 items-center break-all underline"
          >
            {lead.kind === "step" ? `${partWords[lead.part ?? "overview"]} of ${lead.name}` : lead.word}
          </Link>
        ),
      )}
    </span>
  );
}

const partWords = { output: "output", error: "error", overview: "overview" };

function searchOf(lead: Exclude<Source["leads"][number], { kind: "told" }>, isInSheet: boolean): RunSearch {
  if (lead.kind === "step") return { step: lead.key, row: undefined, part: lead.part ?? undefined };
  return { tab: "values", ...(isInSheet ? { step: undefined, row: undefined, part: undefined } : {}) };
}
