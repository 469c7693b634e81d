import { Loaded } from "../../../components/page.tsx";
import type { Outline } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { useHistory } from "../use-history.ts";
import { LogList } from "./log-list.tsx";

export function LogsTab({ outline }: { readonly outline: Outline }) {
  const query = useHistory(outline.run.id, !hasRunEnded(outline.run.status));
  const nameOf = (step: number | null): string | null => outline.steps.find(({ id }) => id === step)?.name ?? null;
  return (
    <div tabIndex={0} role="region" aria-label="Logs" className="min-h-0 flex-1 overflow-auto py-1">
      <Loaded query={query}>{(entries) => <LogList entries={entries} nameOf={nameOf} />}</Loaded>
    </div>
  );
}
