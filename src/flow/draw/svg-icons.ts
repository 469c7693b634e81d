// Icons of 16 × 16 units, drawn with strokes.

import type { TerminalKind } from "../plan.ts";
import type { PictureNode } from "./picture.ts";

export const endingIcons: { readonly [ending in TerminalKind]: string } = {
  success: "M3.5 8.5l3 3 6-6.5",
  failure: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  cancel: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6",
};

const kindIcons: { readonly [kind in PictureNode["kind"]]: string } = {
  // a prompt
  tool: "M3 4.5l3.5 3.5L3 11.5M8.5 12h4.5",
  // a person
  gate: "M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M3 13.5c0-2.5 2.2-3.8 5-3.8s5 1.3 5 3.8",
  // a clock
  wait: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.8V8l2.2 1.6",
  // a flow within the flow
  flow: "M2.5 2.5h4.5v4.5H2.5zM9 9h4.5v4.5H9zM4.75 7v4.25H9",
  // an equals sign
  set: "M3.5 6h9M3.5 10h9",
  end: "M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9",
  // a state within its circle
  state: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3",
  missing: "M8 3v6M8 12v.5",
};

export function iconOf({ kind, ending }: PictureNode): string {
  return kind === "end" && ending !== null ? endingIcons[ending] : kindIcons[kind];
}
