// Colours and type of the SVG drawing: those of the web page, for light and dark. Every name is under the class of the
// drawing, so that a page that holds it keeps its own look; a page may set the variables itself.

import type { TerminalKind } from "../plan.ts";
import type { PictureNode } from "./picture.ts";

export const drawingClass = "stepwell-drawing";

type Palette = {
  readonly background: string;
  readonly surface: string;
  readonly border: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly tool: Tone;
  readonly gate: Tone;
  readonly wait: Tone;
  readonly flow: Tone;
  readonly success: Tone;
  readonly failure: Tone;
  readonly cancel: Tone;
};

/** Text on the tint, the tint, the solid colour. */
type Tone = readonly [string, string, string];

export type ToneName = "tool" | "gate" | "wait" | "flow" | TerminalKind;

const light: Palette = {
  background: "#fafafb",
  surface: "#ffffff",
  border: "#e4e6eb",
  line: "#878e9c",
  text: "#15171c",
  quiet: "#4a5160",
  tool: ["#4b5563", "#f0f1f4", "#7b8494"],
  gate: ["#8a4b00", "#fef3dc", "#c67a08"],
  wait: ["#5b3fb8", "#f0ecfd", "#7c5ce0"],
  flow: ["#0b6477", "#e2f5f9", "#0e8aa5"],
  success: ["#13683a", "#e5f6eb", "#1e9e57"],
  failure: ["#b3191f", "#fdebeb", "#dc2b32"],
  cancel: ["#5a4f57", "#f3f0f2", "#86797f"],
};

const dark: Palette = {
  background: "#0e1014",
  surface: "#15181e",
  border: "#272c36",
  line: "#6b7484",
  text: "#e9ebf0",
  quiet: "#abb2c0",
  tool: ["#b4bbc8", "#22262e", "#7c8595"],
  gate: ["#f7be5c", "#33250c", "#e09a1e"],
  wait: ["#bba8ff", "#241c40", "#9a82f5"],
  flow: ["#67d3e8", "#0c2a32", "#22a7c2"],
  success: ["#6fdb9c", "#0f2d1d", "#34b871"],
  failure: ["#ff8f8f", "#3b1618", "#f0545a"],
  cancel: ["#c2b7bd", "#2a2529", "#938a8f"],
};

export function toneOf({ kind, ending }: PictureNode): ToneName {
  switch (kind) {
    case "gate":
    case "wait":
    case "flow":
    case "tool":
      return kind;
    case "state":
      return "flow";
    case "set":
      return "tool";
    case "missing":
      return "failure";
    case "end":
      return ending ?? "tool";
  }
}

export const styleSheet: string = [
  rule("", variables(light)),
  `@media (prefers-color-scheme: dark) { ${rule("", variables(dark))} }`,
  rule(" text", "font-family: Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; fill: var(--sw-text)"),
  rule(" .background", "fill: var(--sw-background)"),
  rule(" .box", "fill: var(--sw-surface); stroke: var(--sw-border)"),
  rule(" .missing .box", "stroke: var(--sw-failure-solid); stroke-dasharray: 4 3"),
  rule(" .apart", "opacity: 0.6"),
  rule(" .pill", "fill: var(--sw-tint); stroke: none"),
  rule(" .end .box", "fill: var(--sw-tint); stroke: var(--sw-solid)"),
  rule(" .bar", "fill: var(--sw-solid)"),
  rule(
    " .icon",
    "fill: none; stroke: var(--sw-solid); stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round",
  ),
  rule(
    " .pill-icon",
    "fill: none; stroke: var(--sw-on-tint); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round",
  ),
  rule(" .name", "font-size: 13px; font-weight: 600"),
  rule(" .end .name", "fill: var(--sw-on-tint)"),
  rule(" .word", "font-size: 11px; font-weight: 500; fill: var(--sw-on-tint)"),
  rule(
    " .detail",
    "font-family: 'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; fill: var(--sw-quiet)",
  ),
  rule(" .line", "fill: none; stroke: var(--sw-line); stroke-width: 1.25"),
  rule(" .head", "fill: var(--sw-line)"),
  rule(" .fork", "fill: var(--sw-line)"),
  rule(" .failure > .line", "stroke: var(--sw-failure-solid); opacity: 0.7"),
  rule(" .failure > .head", "fill: var(--sw-failure-solid); opacity: 0.8"),
  rule(" .side > .line", "stroke-dasharray: 4 4"),
  rule(" .label-back", "fill: var(--sw-background)"),
  rule(" .label", "font-size: 11px; fill: var(--sw-quiet); text-anchor: middle"),
  rule(" .failure > .label", "fill: var(--sw-failure-on-tint)"),
  ...(["tool", "gate", "wait", "flow", "success", "failure", "cancel"] as const).map(toneRule),
].join("\n");

function rule(selector: string, body: string): string {
  return `.${drawingClass}${selector} { ${body} }`;
}

function toneRule(name: ToneName): string {
  const parts = ["on-tint", "tint", "solid"].map((part) => `--sw-${part}: var(--sw-${name}-${part})`);
  return rule(` .tone-${name}`, parts.join("; "));
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .flatMap(([name, value]: readonly [string, string | Tone]) =>
      typeof value === "string"
        ? [`--sw-${name}: ${value}`]
        : [`--sw-${name}-on-tint: ${value[0]}`, `--sw-${name}-tint: ${value[1]}`, `--sw-${name}-solid: ${value[2]}`],
    )
    .join("; ");
}
