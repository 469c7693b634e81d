// The last runs of a workflow as bars: the colour is how they ended, the height how long they took. Newest at the right.

import { Link } from "@tanstack/react-router";
import { heightsOf, sayMarks, showMark, type RunMark } from "../model/overview.ts";
import { showDistance, showDuration } from "../model/time.ts";

export function HistoryStrip({ marks, name }: { readonly marks: readonly RunMark[]; readonly name: string }) {
  const ordered = marks.toReversed();
  const heights = heightsOf(ordered);
  return (
    <Link
      to="/runs"
      search={{ workflow: name }}
      aria-label={`Last runs of ${name}: ${sayMarks(marks)}`}
      className="flex h-8 w-fit max-w-full min-w-6"
    >
      {/* Where there is no room for all, the oldest are cut off. */}
      <span className="flex h-full min-w-0 items-end justify-end gap-px overflow-hidden">
        {ordered.map((mark, at) => {
          const { token, word } = showMark(mark);
          const took = mark.durationMs === null ? "" : `, took ${showDuration(mark.durationMs)}`;
          return (
            <span
              key={mark.id}
              title={`${word}${took}, ${showDistance(mark.createdAt - Date.now())}`}
              data-token={token}
              className="status-solid block w-1.5 shrink-0 rounded-xs"
              style={{ height: `${(heights[at] ?? 1) * 100}%` }}
            />
          );
        })}
      </span>
    </Link>
  );
}
