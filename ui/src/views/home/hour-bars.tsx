import { Link } from "@tanstack/react-router";
import { stackOf, totalOf, type Hour } from "../../model/overview.ts";
import { showRun } from "../../model/status.ts";

const hourOfDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

/** A bar for each hour; a click shows its runs. */
export function HourBars({ hours }: { readonly hours: readonly Hour[] }) {
  const highest = Math.max(1, ...hours.map(totalOf));
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Runs by hour">
      <ul className="flex h-28 min-w-max items-end gap-1 px-4 pt-4 pb-2 md:min-w-0">
        {hours.map((hour, at) => (
          <li key={hour.from} className="flex h-full min-w-6 flex-1 flex-col justify-end">
            <Bar hour={hour} highest={highest} isNamed={at % 6 === 0 || at === hours.length - 1} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bar({ hour, highest, isNamed }: { readonly hour: Hour; readonly highest: number; readonly isNamed: boolean }) {
  const total = totalOf(hour);
  const stack = stackOf(hour).map((each) => ({
    ...each,
    ...showRun({ status: each.status, needsPerson: false, ending: null }),
  }));
  const words = `${hourOfDay.format(hour.from)}: ${total === 0 ? "no runs" : stack.map(({ count, word }) => `${count} ${word}`).join(", ")}`;
  return (
    <Link
      to="/runs"
      search={{ since: String(hour.from), until: String(hour.to) }}
      aria-label={words}
      title={words}
      data-testid="hour"
      className="flex h-full min-w-0 flex-col justify-end rounded-xs hover:bg-sunken"
    >
      <span className="flex min-h-0 flex-1 flex-col-reverse" aria-hidden>
        {stack.map(({ token, count }) => (
          <span
            key={token}
            data-token={token}
            className="status-solid w-full first:rounded-b-xs last:rounded-t-xs"
            style={{ height: `${(count / highest) * 100}%` }}
          />
        ))}
        {total === 0 ? <span className="h-0.5 w-full bg-border" /> : null}
      </span>
      <span className="h-4 overflow-visible text-center text-[10px] leading-4 whitespace-nowrap text-text2" aria-hidden>
        {isNamed ? hourOfDay.format(hour.from) : ""}
      </span>
    </Link>
  );
}
