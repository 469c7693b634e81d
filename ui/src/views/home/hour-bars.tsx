import { Link } from "@tanstack/react-router";
import { useIsNarrow } from "../../components/narrow.ts";
import { stackOf, togetherOf, totalOf, wholeOf, type Hour } from "../../model/overview.ts";
import { showHour } from "../../model/time.ts";

/** As wide as what it says, which may be wider than a bar: in the middle of it. */
const small = "flex h-4 min-w-0 justify-center text-[10px] leading-4 whitespace-nowrap text-text2";

/** A bar for each hour; a click shows its runs. Bars that are too narrow to be hit are hit together. */
export function HourBars({ hours }: { readonly hours: readonly Hour[] }) {
  const [isSmall, isTiny] = [useIsNarrow(900), useIsNarrow(600)];
  const highest = Math.max(1, ...hours.map(totalOf));
  const highestAt = hours.find((hour) => totalOf(hour) === highest);
  const named = new Set([...hours.filter((_hour, at) => at % 6 === 0), hours.at(-1)]);
  return (
    <ul aria-label="Runs by hour" className="flex h-32 items-end px-4 pt-2 pb-2">
      {togetherOf(hours, isTiny ? 3 : isSmall ? 2 : 1).map((some) => (
        <li key={some[0]?.from} className="h-full min-w-6 flex-1">
          <HourLink hours={some}>
            {some.map((hour) => (
              <Bar
                key={hour.from}
                hour={hour}
                highest={highest}
                isHighest={hour === highestAt}
                isNamed={named.has(hour)}
              />
            ))}
          </HourLink>
        </li>
      ))}
    </ul>
  );
}

function HourLink({ hours, children }: { readonly hours: readonly Hour[]; readonly children: React.ReactNode }) {
  const whole = wholeOf(hours);
  if (whole === null) return null;
  const until = hours.length === 1 ? "" : `–${showHour(whole.to)}`;
  const counts = stackOf(whole).map(({ count, word }) => `${count} ${word}`);
  const words = `${showHour(whole.from)}${until}: ${counts.length === 0 ? "no runs" : counts.join(", ")}`;
  return (
    <Link
      to="/runs"
      search={{ since: String(whole.from), until: String(whole.to) }}
      title={words}
      data-testid="hour"
      className="flex h-full rounded-xs hover:bg-sunken"
    >
      <span className="sr-only">{words}</span>
      {children}
    </Link>
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
  const stack = stackOf(hour);
  return (
    <span
      aria-hidden
      data-testid="hour-bar"
      className="flex h-full min-w-2 flex-1 flex-col justify-end px-px sm:px-0.5"
    >
      <span className={small}>{isHighest ? highest.toLocaleString("en") : ""}</span>
      <span className="flex min-h-0 flex-1 flex-col-reverse">
        {stack.map(({ token, word, count }) => (
          <span
            key={word}
            data-token={token}
            className="status-solid w-full first:rounded-b-xs last:rounded-t-xs"
            style={{ height: `${(count / highest) * 100}%` }}
          />
        ))}
        {stack.length === 0 ? <span className="h-0.5 w-full bg-border" /> : null}
      </span>
      <span className={small}>{isNamed ? showHour(hour.from) : ""}</span>
    </span>
  );
}
