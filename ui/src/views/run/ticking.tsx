import { showDuration } from "../../model/time.ts";
import { useClock } from "./clock.ts";

/** Goes on until there is an end, by the clock of the run's page. */
export function Ticking({ from, to }: { readonly from: number; readonly to: number | null }) {
  const now = useClock(to === null);
  return <span className="mono whitespace-nowrap">{showDuration((to ?? Math.max(now, from)) - from)}</span>;
}
