// The documentation as it is written, as blocks that can be drawn: as much of Markdown as it uses, and no HTML. What is not
// known stays a paragraph, so that nothing is lost.

export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "em"; readonly text: string }
  | { readonly kind: "link"; readonly inside: readonly Inline[]; readonly to: string };

type Line = readonly Inline[];

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly inside: Line }
  | { readonly kind: "paragraph"; readonly inside: Line }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly Line[] }
  | { readonly kind: "table"; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] };

export function parseDocs(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const ids = new Map<string, number>();
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let at = 0;
  while (at < lines.length) {
    const rest = lines.slice(at);
    const taken = takeCode(rest) ?? takeNote(rest) ?? takeHeading(rest, ids) ?? takeTable(rest) ?? takeList(rest);
    const { block, count } = taken ?? takeParagraph(rest);
    if (block !== null) blocks.push(block);
    at += count;
  }
  return blocks;
}

type Taken = { readonly block: Block | null; readonly count: number };
type Lines = readonly string[];

const fence = /^```/;
const marker = /^(?:[-*]|(\d+)\.)\s+/;
/** Pictures do not come with the program, and their words alone tell nothing: what is made of them alone is left out. */
const pictures = /^\s*(?:!\[[^\]]*\]\([^)]*\)\s*)+$/;
const heading = /^(#{1,6})\s+(.*?)\s*$/;

function takeCode(lines: Lines): Taken | null {
  if (!fence.test(lines[0] ?? "")) return null;
  const end = lines.findIndex((line, at) => at > 0 && fence.test(line));
  const last = end < 0 ? lines.length : end;
  return { block: { kind: "code", text: lines.slice(1, last).join("\n") }, count: last + 1 };
}

/** For who writes, not for who reads. */
function takeNote(lines: Lines): Taken | null {
  if (!(lines[0] ?? "").startsWith("<!--")) return null;
  const end = lines.findIndex((line) => line.includes("-->"));
  return { block: null, count: end < 0 ? lines.length : end + 1 };
}

function takeHeading([first = ""]: Lines, ids: Map<string, number>): Taken | null {
  const [, signs, words] = heading.exec(first) ?? [];
  if (signs === undefined || words === undefined) return null;
  const inside = parseInline(words);
  const name = slugOf(plainOf(inside));
  const before = ids.get(name) ?? 0;
  ids.set(name, before + 1);
  const id = before === 0 ? name : `${name}-${before}`;
  return { block: { kind: "heading", level: signs.length, id, inside }, count: 1 };
}

/** As the place where the documentation is usually read names its headings. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function takeTable(lines: Lines): Taken | null {
  const end = lines.findIndex((line) => !line.startsWith("|"));
  const rows = lines.slice(0, end < 0 ? lines.length : end);
  if (rows.length < 2 || !/^\|[\s:|-]+\|?\s*$/.test(rows[1] ?? "")) return null;
  const isShown = rows.slice(2).some((row) => cellsOf(row).some((cell) => !pictures.test(cell)));
  if (rows.length > 2 && !isShown) return { block: null, count: rows.length };
  const [head = [], , ...body] = rows.map((row) => cellsOf(row).map((cell) => parseInline(cell)));
  return { block: { kind: "table", head, rows: body }, count: rows.length };
}

/** A bar within code, or behind a backslash, parts nothing. */
function cellsOf(row: string): readonly string[] {
  const inner = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  const cells = inner.match(/(?:`[^`]*`|\\\||[^|])+/g) ?? [""];
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function takeList(lines: Lines): Taken | null {
  const first = marker.exec(lines[0] ?? "");
  if (first === null) return null;
  const items: string[] = [];
  let count = 0;
  for (const line of lines) {
    const isNew = marker.test(line);
    // What goes on in the next line is set off from the margin.
    if (!isNew && !/^\s+\S/.test(line)) break;
    if (isNew) items.push(line.replace(marker, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
    count += 1;
  }
  const isOrdered = first[1] !== undefined;
  return { block: { kind: "list", isOrdered, items: items.map((item) => parseInline(item)) }, count };
}

function endsParagraph(line: string, at: number): boolean {
  if (line.trim() === "") return true;
  return at > 0 && (fence.test(line) || heading.test(line) || marker.test(line) || line.startsWith("|"));
}

function takeParagraph(lines: Lines): Taken {
  const end = lines.findIndex(endsParagraph);
  const count = end < 0 ? lines.length : end;
  if (count === 0) return { block: null, count: 1 };
  const text = lines.slice(0, count).join(" ");
  return { block: pictures.test(text) ? null : { kind: "paragraph", inside: parseInline(text) }, count };
}

const parts =
  /(`+)(.+?)\1(?!`)|!\[([^\]]*)\]\([^)]*\)|\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]*)\)|\*\*(.+?)\*\*|\*([^\s*][^*]*)\*/g;

function parseInline(text: string): Line {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(parts)) {
    if (match.index > at) found.push({ kind: "text", text: text.slice(at, match.index) });
    found.push(...toInline(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
  return found;
}

function toInline([, , code, alt, label, to, strong, em]: RegExpMatchArray): Line {
  if (code !== undefined) return [{ kind: "code", text: code.trim() }];
  // Pictures do not come along; what they show is said.
  if (alt !== undefined) return alt === "" ? [] : [{ kind: "em", text: alt }];
  if (label !== undefined) return [{ kind: "link", inside: parseInline(label), to: to ?? "" }];
  return strong === undefined ? [{ kind: "em", text: em ?? "" }] : [{ kind: "strong", text: strong }];
}

/** Without what it looks like. */
export function plainOf(line: Line): string {
  return line.map((part) => (part.kind === "link" ? plainOf(part.inside) : part.text)).join("");
}

/** Where a link of a page of the documentation leads: another one of them, or a place in this one. null: nowhere here. */
export function docsPlaceOf(to: string): { readonly name: string | null; readonly hash: string | null } | null {
  const [, name, hash] = /^(?:([a-z0-9-]+)\.md)?(?:#(.*))?$/i.exec(to) ?? [];
  if (name === undefined && hash === undefined) return null;
  return { name: name ?? null, hash: hash ?? null };
}
