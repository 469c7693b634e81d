import { Link } from "@tanstack/react-router";
import { stackOf, totalOf, type Hour } from "../../model/overview.ts";

const hourOfDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });

/** As wide as what it says, which may be wider than a bar: in the middle of it. */
const small = "flex h-4 min-w-0 justify-center text-[10px] leading-4 whitespace-nowrap text-text2";

/** A bar for each hour; a click shows its runs. */
export function HourBars({ hours }: { readonly hours: readonly Hour[] }) {
  const highest = Math.max(1, ...hours.map(totalOf));
  const highestAt = hours.findIndex((hour) => totalOf(hour) === highest);
  return (
    <div role="group" aria-label="Runs by hour">
      <ul className="flex h-32 items-end px-4 pt-2 pb-2">
        {hours.map((hour, at) => (
          <li key={hour.from} className="flex h-full min-w-2 flex-1 flex-col justify-end">
            <Bar
              hour={hour}
              highest={highest}
              isHighest={at === highestAt}
              isNamed={at % 6 === 0 || at === hours.length - 1}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

type BarProps = {
  readonly hour: Hour;
  readonly highest: number;
  /** It says how high it is, and so how high the others are. */
  readonly isHighest: boolean;
  readonly isNamed: boolean;
};

function Bar({ hour, highest, isHighest, isNamed }: BarProps) {
  const total = totalOf(hour);
  const stack = stackOf(hour);
  const words = `${hourOfDay.format(hour.from)}: ${total === 0 ? "no runs" : stack.map(({ count, word }) => `${count} ${word}`).join(", ")}`;
  return (
    <Link
      to="/runs"
      search={{ since: String(hour.from), until: String(hour.to) }}
      title={words}
      data-testid="hour"
      className="relative flex h-full min-w-0 flex-col justify-end rounded-xs px-px hover:bg-sunken sm:px-0.5"
    >
      <span className="sr-only">{words}</span>
      <span className={small} aria-hidden>
        {isHighest ? highest.toLocaleString("en") : ""}
      </span>
      <span className="flex min-h-0 flex-1 flex-col-reverse" aria-hidden>
        {stack.map(({ token, word, count }) => (
          <span
            key={word}
            data-token={token}
            className="status-solid w-full first:rounded-b-xs last:rounded-t-xs"
            style={{ height: `${(count / highest) * 100}%` }}
          />
        ))}
        {total === 0 ? <span className="h-0.5 w-full bg-border" /> : null}
      </span>
      <span className={small} aria-hidden>
        {isNamed ? hourOfDay.format(hour.from) : ""}
      </span>
    </Link>
  );
}
