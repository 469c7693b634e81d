// A plan as a Mermaid flowchart, for machines too: it knows the shapes and the broken lines that a state diagram lacks.
// Ids are n1, n2 …, because words such as `end` break the grammar.

import type { Plan } from "../plan.ts";
import { buildPicture, isParallel, isSide, type Link, type PictureNode } from "./picture.ts";
import { cutText } from "./text.ts";

const nameMax = 60;
const labelMax = 60;

/** Opening and closing of the node's shape. */
const shapes: { readonly [kind in PictureNode["kind"]]: readonly [string, string] } = {
  tool: ["[", "]"],
  gate: ["{{", "}}"],
  wait: [">", "]"],
  flow: ["[[", "]]"],
  set: ["[/", "/]"],
  end: ["([", "])"],
  state: ["(", ")"],
  missing: ["[", "]"],
};

const classes = [
  "classDef success fill:#e5f6eb,stroke:#1e9e57,color:#13683a",
  "classDef failure fill:#fdebeb,stroke:#dc2b32,color:#b3191f",
  "classDef cancel fill:#f3f0f2,stroke:#86797f,color:#5a4f57",
  "classDef gate fill:#fef3dc,stroke:#c67a08,color:#8a4b00",
  "classDef wait fill:#f0ecfd,stroke:#7c5ce0,color:#5b3fb8",
  "classDef missing fill:#fdebeb,stroke:#dc2b32,color:#b3191f,stroke-dasharray:4 3",
];

/** The plan as text for Mermaid. */
export function drawMermaid(plan: Plan): string {
  const { nodes } = buildPicture(plan);
  const links = nodes.flatMap((node) => node.links);
  const ends = new Map(links.filter(({ to }) => to === null).map((link, at) => [link, `e${at + 1}`]));
  const lines = [
    ...nodes.map(drawNode),
    ...[...ends.values()].map((id) => `${id}((" ✔ ")):::success`),
    'n0(("▶"))',
    "n0 --> n1",
    ...links.map((link) => `${idOf(link.from)} ${arrowOf(link)} ${link.to === null ? ends.get(link) : idOf(link.to)}`),
    ...classes,
  ];
  return `flowchart TD\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function drawNode(node: PictureNode): string {
  const [open, close] = shapes[node.kind];
  const name = escapeLabel(cutText(node.label, nameMax));
  const detail = node.detail === "" ? "" : `<br/>${escapeLabel(cutText(node.detail, nameMax))}`;
  const look = classOf(node);
  return `${idOf(node)}${open}"${name}${detail}"${close}${look === null ? "" : `:::${look}`}`;
}

function classOf({ kind, ending }: PictureNode): string | null {
  if (ending !== null) return ending;
  return kind === "gate" || kind === "wait" || kind === "missing" ? kind : null;
}

function arrowOf(link: Link): string {
  const arrow = isSide(link) ? "-.->" : isParallel(link) ? "==>" : "-->";
  return link.label === "" ? arrow : `${arrow}|"${escapeLabel(cutText(link.label, labelMax))}"|`;
}

function idOf({ index }: PictureNode): string {
  return `n${index + 1}`;
}

/** As entities: quotes, brackets, what could be markup, a directive or an entity itself. */
function escapeLabel(text: string): string {
  return text.replaceAll(/["#&<>%{}[\]()|`\\*_~]/g, (character) => `#${character.codePointAt(0)};`);
}
