import { Card } from "../../components/page.tsx";
import { ratesOf, showRate, type EndedSteps } from "../../model/system.ts";
import { showHour } from "../../model/time.ts";

/** How many steps end each second, over the last quarter of an hour. */
export function Throughput({ ended }: { readonly ended: EndedSteps }) {
  const { perSecond, highest, total, lately } = ratesOf(ended);
  const { since } = ended;
  const until = since + ended.everyMs * ended.counts.length;
  const [width, height] = [300, 60];
  const step = width / Math.max(1, perSecond.length - 1);
  const points = perSecond.map((rate, at) => `${at * step},${height - 2 - (rate / Math.max(highest, 0.1)) * 54}`);
  const said = `${total} steps have ended in the last 15 minutes; in the last minute ${showRate(lately)}, at most ${showRate(highest)}`;
  return (
    <Card title="Throughput">
      <figure className="px-4 py-3" data-testid="throughput" data-total={total}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className="h-24 w-full"
          preserveAspectRatio="none"
          role="img"
          aria-label={said}
        >
          <polygon
            points={`0,${height} ${points.join(" ")} ${width},${height}`}
            fill="var(--done-tint)"
            stroke="none"
          />
          <polyline
            points={points.join(" ")}
            fill="none"
            stroke="var(--done-solid)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <p className="mb-1 flex justify-between text-meta text-text2" data-testid="throughput-times">
          <time dateTime={new Date(since).toISOString()}>{showHour(since)}</time>
          <time dateTime={new Date(until).toISOString()}>{showHour(until)}</time>
        </p>
        <figcaption className="flex flex-wrap gap-x-4 text-meta text-text2">
          <span data-token="done" className="flex items-center gap-1">
            <span className="status-solid size-2 rounded-full" aria-hidden /> steps that end, over 15 minutes
          </span>
          <span>{total} in all</span>
          <span>{showRate(lately)} in the last minute</span>
          <span className="ms-auto">up to {showRate(highest)}</span>
        </figcaption>
      </figure>
    </Card>
  );
}
