// A plan in a terminal: the outline as text. An outline and no boxes with routed lines, because it stays legible for any
// flow at 80 columns: a sequence keeps its column, a step stands once, later arrows name it.

import type { Plan } from "../plan.ts";
import { asciiMarks, unicodeMarks, type Marks } from "./ascii-marks.ts";
import { formatLines, type Line, type Span, type Tone } from "./ascii-line.ts";
import { outlinePicture, type Exit, type Row } from "./outline.ts";
import { buildPicture, isParallel, isSide, type Link, type PictureNode } from "./picture.ts";
import { cutText, toAsciiText } from "./text.ts";

export type AsciiOptions = {
  /** Box-drawing characters; false: plain ASCII. Default true. */
  readonly unicode?: boolean;
  /** Columns; longer texts are cut. Default 100. */
  readonly width?: number;
  /** ANSI colours. Default false. */
  readonly colour?: boolean;
};

type Style = {
  readonly marks: Marks;
  readonly width: number;
  readonly toText: (text: string) => string;
};

/** The most columns that a name or a condition takes. */
const textMax = 40;
const widthMin = 40;

/** The plan as text for a terminal. */
export function drawAscii(plan: Plan, options: AsciiOptions = {}): string {
  const { unicode = true, width = 100, colour = false } = options;
  const style: Style = {
    marks: unicode ? unicodeMarks : asciiMarks,
    width: width >= widthMin ? width : widthMin,
    toText: unicode ? (text) => text : toAsciiText,
  };
  const picture = buildPicture(plan);
  const columns = outlinePicture(picture);
  const apart = columns.findIndex((rows) => rows.some(({ node }) => node.root > 0));
  const lines = [
    lineOf([
      ["line", style.marks.start],
      ["name", ` ${nameOf(picture.title, style)}`],
    ]),
    ...columns.flatMap((rows, at) => [
      lineOf(at === 0 ? [["line", style.marks.rail]] : []),
      ...(at === apart ? [lineOf([["muted", "not reachable:"]])] : []),
      ...drawColumn(rows, { first: [], rest: [] }, style),
    ]),
  ];
  return formatLines(lines, { width: style.width, ellipsis: style.marks.ellipsis, isColoured: colour });
}

/** What stands left of a column: in its first line, in all others. */
type Margin = { readonly first: readonly Span[]; readonly rest: readonly Span[] };

function drawColumn(rows: readonly Row[], margin: Margin, style: Style): readonly Line[] {
  return rows.flatMap((row, at) => {
    const isLast = at === rows.length - 1;
    const exits = row.exits.flatMap((exit, index) => {
      const isEnd = row.rail.kind === "none" && index === row.exits.length - 1;
      return drawExit(exit, { margin: margin.rest, isEnd }, style);
    });
    return [
      stepLine(row.node, at === 0 ? margin.first : margin.rest, style),
      ...exits,
      ...railOf(row, margin, style),
    ].concat(isLast || row.rail.kind !== "none" ? [] : [lineOf(margin.rest)]);
  });
}

function railOf({ rail }: Row, { rest }: Margin, style: Style): readonly Line[] {
  if (rail.kind === "none") return [];
  const label = rail.kind === "link" ? labelOf(rail.link, style) : [];
  return [lineOf([...rest, ["line", style.marks.rail], ...label])];
}

type Place = { readonly margin: readonly Span[]; readonly isEnd: boolean };

function drawExit(exit: Exit, place: Place, style: Style): readonly Line[] {
  const stub = stubOf(exit.link, place, style);
  const arrow = arrowOf(exit, style);
  if (exit.kind !== "column") return [lineOf([...stub, ...arrow, ...targetOf(exit, style)])];
  const short = shortLine(exit.rows, [...stub, ...arrow], style);
  if (short !== null) return [short];
  const rail = place.isEnd ? " " : style.marks.rail;
  if (exit.link.label === "") {
    const rest: readonly Span[] = [...place.margin, ["line", `${rail}   `]];
    return drawColumn(exit.rows, { first: [...stub, ...arrow], rest }, style);
  }
  const rest: readonly Span[] = [...place.margin, ["line", `${rail}  `]];
  return [lineOf(stub), ...drawColumn(exit.rows, { first: rest, rest }, style)];
}

/** A column of one step that leads nowhere else, or to one step without a condition, needs one line. */
function shortLine(rows: readonly Row[], before: readonly Span[], style: Style): Line | null {
  const [row, next] = rows;
  if (row === undefined || next !== undefined || row.exits.length > 1) return null;
  const [exit] = row.exits;
  const line = stepLine(row.node, before, style);
  if (exit === undefined) return line;
  if (exit.kind === "column" || exit.link.label !== "") return null;
  const tail = [
    ...line.tail,
    ["line", ` ${lineMark(exit.link, style)}`] as const,
    ...arrowOf(exit, style),
    ...targetOf(exit, style),
  ];
  return { ...line, tail };
}

function stepLine(node: PictureNode, before: readonly Span[], style: Style): Line {
  const { marks } = style;
  const tone: Tone = node.kind === "end" && node.ending !== null ? node.ending : "glyph";
  const glyph = node.kind === "end" && node.ending !== null ? marks.endings[node.ending] : marks.kinds[node.kind];
  const notes: Span[] = [];
  if (node.isJoin) notes.push(["muted", ` ${marks.join} ${joinWords(node, style)}`]);
  if (node.kind !== "end" && node.ending !== null) notes.push([node.ending, ` ${marks.endings[node.ending]}`]);
  return {
    left: [...before, [tone, glyph], ["name", ` ${nameOf(node.label, style)}`]],
    detail: style.toText(node.detail),
    tail: notes,
  };
}

function joinWords({ forks: [fork, other] }: PictureNode, style: Style): string {
  return fork === undefined || other !== undefined ? "join" : `joins ${nameOf(fork.label, style)}`;
}

function stubOf(link: Link, { margin, isEnd }: Place, style: Style): readonly Span[] {
  const { marks } = style;
  const corner = isEnd ? marks.corners : marks.tees;
  const stub = isSide(link) ? corner.side : isParallel(link) ? corner.parallel : corner.plain;
  return [...margin, ["line", stub], ...labelOf(link, style)];
}

function labelOf(link: Link, style: Style): readonly Span[] {
  if (link.label === "") return [];
  return [[link.isFailure ? "failure" : "label", ` ${nameOf(link.label, style)}`]];
}

function arrowOf(exit: Exit, style: Style): readonly Span[] {
  const { marks } = style;
  const line = exit.link.label === "" ? "" : ` ${lineMark(exit.link, style)}`;
  return [["line", `${line}${exit.kind === "loop" ? marks.loop : marks.arrow} `]];
}

function lineMark(link: Link, { marks }: Style): string {
  return isSide(link) ? marks.lines.side : isParallel(link) ? marks.lines.parallel : marks.lines.plain;
}

function targetOf(exit: Exclude<Exit, { readonly kind: "column" }>, style: Style): readonly Span[] {
  if (exit.kind === "end")
    return [
      ["success", style.marks.endings.success],
      ["muted", " end"],
    ];
  return [["mention", nameOf(exit.to.label, style)]];
}

function nameOf(text: string, style: Style): string {
  return cutText(style.toText(text), textMax, style.marks.ellipsis);
}

function lineOf(left: readonly Span[]): Line {
  return { left, detail: "", tail: [] };
}
