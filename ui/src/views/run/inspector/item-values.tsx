import { useQuery } from "@tanstack/react-query";
import { stepQuery } from "../../../api/queries.ts";
import { partOfStep } from "../../../api/run-values.ts";
import { Loaded, Skeleton } from "../../../components/page.tsx";
import type { Step } from "../../../model/run.ts";
import { showPath } from "../../../model/json-path.ts";
import { ValuePanel } from "../value-panel.tsx";

/** What one item was given, and what it gave. */
export function ItemValues({ run, item }: { readonly run: number; readonly item: Step }) {
  const query = useQuery(stepQuery(run, item.id));
  const root = showPath("steps", [item.name, "result", item.item ?? 0]);
  return (
    <div className="flex flex-col gap-3 border-t border-border bg-bg p-3">
      <Loaded query={query} skeleton={<Skeleton lines={2} />}>
        {(step) => (
          <>
            <h4 className="text-table font-medium">Input</h4>
            <ValuePanel
              label={`Input of item ${(item.item ?? 0) + 1}`}
              value={step.args}
              root={null}
              part={partOfStep(run, item.id, "args")}
            />
            <h4 className="text-table font-medium">Output</h4>
            <ValuePanel
              label={`Output of item ${(item.item ?? 0) + 1}`}
              value={step.result}
              root={root}
              part={partOfStep(run, item.id, "result")}
            />
          </>
        )}
      </Loaded>
    </div>
  );
}
