// The steps per second of everyone measured, as bars on a logarithmic axis: an SVG that is legible on light and dark.

import type { Line } from "../measurement.ts";

const width = 760;
const labelWidth = 210;
const valueWidth = 90;
const barHeight = 22;
const rowHeight = 32;
const top = 56;
const bottom = 40;

type Bar = { readonly label: string; readonly value: number; readonly tone: "own" | "peer" | "limit" };

export function drawPlot(lines: readonly Line[]): string {
  const bars = barsOf(lines);
  const values = bars.map(({ value }) => value);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const place = (value: number): number =>
    labelWidth + ((width - labelWidth - valueWidth) * Math.log10(value / low)) / Math.log10(high / low);
  const height = top + bars.length * rowHeight + bottom;
  const foot = top + bars.length * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" class="stepwell-plot" role="img">`,
    "<title>Durable steps per second in W1, logarithmic axis</title>",
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    `<text class="title" x="20" y="32">Durable steps per second (1,000 runs of ten steps at once), logarithmic</text>`,
    ...axis(low, high).map((value) => tick(place(value), foot, value)),
    ...bars.map((bar, index) => drawBar(bar, top + index * rowHeight, place)),
    "</svg>",
    "",
  ].join("\n");
}

function barsOf(lines: readonly Line[]): readonly Bar[] {
  const bars = lines.flatMap(({ subject, workload, value }): readonly Bar[] => {
    if (subject === "limit") return rawBar(workload, value);
    if (workload === "W1j" && subject === "stepwell")
      return [{ label: "Stepwell, tools of 0–10 ms", value, tone: "own" }];
    if (workload !== "W1") return [];
    return subject === "stepwell"
      ? [{ label: "Stepwell", value, tone: "own" }]
      : [{ label: subject, value, tone: "peer" }];
  });
  return bars.toSorted((one, other) => other.value - one.value);
}

function rawBar(workload: string, value: number): readonly Bar[] {
  const [, dialect, count] = /^(sqlite|postgres)-(\d+)$/.exec(workload) ?? [];
  if (count === undefined) return [];
  const name = dialect === "sqlite" ? "SQLite" : "PostgreSQL";
  return [{ label: `raw ${name}, ${Number(count).toLocaleString("en-GB")} a commit`, value, tone: "limit" }];
}

function axis(low: number, high: number): readonly number[] {
  const decades = Math.round(Math.log10(high / low));
  return Array.from({ length: decades + 1 }, (_, no) => low * 10 ** no);
}

function tick(x: number, foot: number, value: number): string {
  const at = x.toFixed(1);
  const label = value.toLocaleString("en-GB");
  return `<path class="grid" d="M${at} ${top - 6}V${foot}"/><text class="tick" x="${at}" y="${foot + 18}">${label}</text>`;
}

function drawBar({ label, value, tone }: Bar, y: number, place: (value: number) => number): string {
  const end = place(value);
  const middle = y + barHeight / 2 + 4;
  return [
    `<text class="label" x="${labelWidth - 10}" y="${middle}">${escape(label)}</text>`,
    `<rect class="${tone}" x="${labelWidth}" y="${y}" width="${Math.max(1, end - labelWidth).toFixed(1)}" height="${barHeight}" rx="3"/>`,
    `<text class="value" x="${(end + 8).toFixed(1)}" y="${middle}">${Math.round(value).toLocaleString("en-GB")}</text>`,
  ].join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const style = [
  ".stepwell-plot { --ground: #fafafb; --text: #15171c; --quiet: #4a5160; --grid: #e4e6eb; --own: #0e8aa5; --peer: #7b8494; --limit: #c9ccd4 }",
  "@media (prefers-color-scheme: dark) { .stepwell-plot { --ground: #0e1014; --text: #e9ebf0; --quiet: #abb2c0; --grid: #272c36; --own: #22a7c2; --peer: #7c8595; --limit: #3a404c } }",
  ".stepwell-plot text { font-family: Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; font-size: 13px; fill: var(--text) }",
  ".stepwell-plot .title { font-size: 14px; font-weight: 600 }",
  ".stepwell-plot .label { text-anchor: end }",
  ".stepwell-plot .tick { text-anchor: middle; font-size: 11px; fill: var(--quiet) }",
  ".stepwell-plot .value { font-weight: 600 }",
  ".stepwell-plot .ground { fill: var(--ground) }",
  ".stepwell-plot .grid { stroke: var(--grid); fill: none }",
  ".stepwell-plot .own { fill: var(--own) }",
  ".stepwell-plot .peer { fill: var(--peer) }",
  ".stepwell-plot .limit { fill: var(--limit) }",
].join("\n");
