// Which names the placeholders of a text read: `{{ steps.fetch.result.items }}` reads `steps`. The engine parses expressions;
// here their words are enough, in one go through the text. A test compares the two.

type Key = string | number;

export type NameRead = {
  readonly root: string;
  /** As far as it is written down; what is computed ends it. */
  readonly path: readonly Key[];
};

const roots: ReadonlySet<string> = new Set([
  "input",
  "result",
  "previous",
  "steps",
  "item",
  "index",
  "run",
  "resources",
  "data",
  "event",
  "secrets",
]);
const macros: ReadonlySet<string> = new Set(["all", "exists", "filter", "map"]);

/** A text, a name, a number, or one character that is none of them. */
const word = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(\d[\w.]*)|([\s\S]))/y;
/** An expression that the engine takes is no longer than this. */
const lengthMax = 20_000;

type Word = { readonly kind: "text" | "name" | "number" | "symbol"; readonly text: string; readonly end: number };

/** Every longest path from a name, in the order of the text; a text with a placeholder that nothing closes reads none. */
export function namesIn(text: string): readonly NameRead[] {
  const found: NameRead[] = [];
  let from = text.indexOf("{{");
  while (from !== -1) {
    const placeholder = wordsOf(text, from + 2);
    if (placeholder === null) return [];
    found.push(...namesOf(placeholder.words));
    from = text.indexOf("{{", placeholder.end);
  }
  return found;
}

/** Up to the braces that close the placeholder; they may stand in a quoted text, or close two maps. */
function wordsOf(text: string, from: number): { readonly words: readonly Word[]; readonly end: number } | null {
  const words: Word[] = [];
  let open = 0;
  let at = from;
  for (;;) {
    const next = at - from > lengthMax ? null : readWord(text, at);
    if (next === null) return null;
    at = next.end;
    if (next.text === "{") open += 1;
    if (next.text === "}") {
      if (open === 0 && text.charAt(at) === "}") return { words, end: at + 1 };
      open = Math.max(0, open - 1);
    }
    words.push(next);
  }
}

function readWord(text: string, at: number): Word | null {
  word.lastIndex = at;
  const match = word.exec(text);
  if (match === null) return null;
  const [, quoted, name, number, symbol = ""] = match;
  const end = word.lastIndex;
  if (symbol === '"' || symbol === "'") return null;
  if (quoted !== undefined) return { kind: "text", text: quoted, end };
  if (name !== undefined) return { kind: "name", text: name, end };
  if (number !== undefined) return { kind: "number", text: number, end };
  return { kind: "symbol", text: symbol, end };
}

function namesOf(words: readonly Word[]): readonly NameRead[] {
  const found: NameRead[] = [];
  /** Variables of macros, each until its parenthesis closes: they hide a root of the same name. */
  const hidden: { readonly name: string; readonly depth: number }[] = [];
  let depth = 0;
  words.forEach((each, at) => {
    if (each.text === "(") {
      depth += 1;
      const variable = variableAt(words, at);
      if (variable !== null) hidden.push({ name: variable, depth });
    }
    if (each.text === ")") {
      depth -= 1;
      while ((hidden.at(-1)?.depth ?? 0) > depth) hidden.pop();
    }
    const isRead = each.kind === "name" && roots.has(each.text) && !isMember(words, at) && words[at + 1]?.text !== "(";
    if (isRead && !hidden.some(({ name }) => name === each.text))
      found.push({ root: each.text, path: pathFrom(words, at + 1) });
  });
  return found;
}

function isMember(words: readonly Word[], at: number): boolean {
  return words[at - 1]?.text === ".";
}

/** `.map(t, …)`: t; `at` is that of the parenthesis. */
function variableAt(words: readonly Word[], at: number): string | null {
  const [macro, name, comma] = [words[at - 1], words[at + 1], words[at + 2]];
  if (macro === undefined || !macros.has(macro.text) || !isMember(words, at - 1)) return null;
  return name?.kind === "name" && comma?.text === "," ? name.text : null;
}

function pathFrom(words: readonly Word[], from: number): readonly Key[] {
  const path: Key[] = [];
  let at = from;
  for (;;) {
    const [first, second, third] = [words[at], words[at + 1], words[at + 2]];
    if (first?.text === "." && second?.kind === "name" && third?.text !== "(") {
      path.push(second.text);
      at += 2;
    } else if (first?.text === "[" && third?.text === "]" && second !== undefined) {
      const key = keyOf(second);
      if (key === null) return path;
      path.push(key);
      at += 3;
    } else return path;
  }
}

function keyOf({ kind, text }: Word): Key | null {
  if (kind === "number") return Number(text);
  return kind === "text" ? text.slice(1, -1).replaceAll(/\\(["'\\])/g, "$1") : null;
}
