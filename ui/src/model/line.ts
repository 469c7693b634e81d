// How the line to the server is, and how often what no event tells of is asked for.

export type Line = "connecting" | "live" | "reconnecting" | "offline";

/** As it is shown: whoever has paused the page sees nothing of how the line is. */
export type ShownLine = Line | "paused";

/** Without a line, everything that is looked at is asked for so often. */
const offlineMs = 5000;

/** null: not at all. While the page is paused, nothing is asked for, whatever the line is. */
export function askEvery(wishMs: number | null, line: ShownLine): number | null {
  if (line === "paused") return null;
  return line === "offline" ? Math.min(wishMs ?? offlineMs, offlineMs) : wishMs;
}

/** Of several who look at the same, the one who wants it most often. */
export function soonest(wishes: readonly (number | null)[]): number | null {
  return wishes.reduce((one, other) => (one === null || other === null ? (one ?? other) : Math.min(one, other)), null);
}
