// Draws what commands print, as pictures for the documentation: `npm run pictures`. The commands run for real, on a store
// of their own; ids and times are then replaced by steady ones, so that a picture changes only when the output does.
// test/cli/terminals.test.ts says when that is due.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../src/cli/command-line.ts";
import { measureText } from "../src/flow/draw/text.ts";

export const terminals: readonly string[] = ["run", "show", "inbox"];

export function terminalFile(name: string): URL {
  return new URL(`../docs/pictures/terminal-${name}.svg`, import.meta.url);
}

/** Name → SVG. */
export async function drawTerminals(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  try {
    const store = join(folder, "stepwell.db");
    const run = await record(store, ["run", flowFile("fan-out")]);
    const waiting = await record(store, ["run", flowFile("publish"), "--exit-on-wait", "-q"]);
    const show = await record(store, ["show", waiting.trim()]);
    const inbox = await record(store, ["inbox"]);
    return new Map([
      ["run", drawTerminal("stepwell run fan-out.yaml", steady(run, store))],
      ["show", drawTerminal("stepwell show 1774093092891", steady(show, store))],
      ["inbox", drawTerminal("stepwell inbox", steady(inbox, store))],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function flowFile(name: string): string {
  return fileURLToPath(new URL(`../examples/flows/${name}.yaml`, import.meta.url));
}

/** What stands on the terminal in the end. */
async function record(store: string, args: readonly string[]): Promise<string> {
  let screen = "";
  const write = (text: string | Uint8Array): boolean => {
    screen = draw(screen, String(text));
    return true;
  };
  const stream = { isTTY: true, columns: 84, rows: 40, write };
  const environment = { LANG: "C.UTF-8", FORCE_COLOR: "1", STEPWELL_STORE: store };
  await runCommandLine([...args, "--as", "ada"], { stdout: stream, stderr: stream, environment, canAsk: false });
  return screen;
}

const sequence = String.fromCodePoint(0x1b);
const back = new RegExp(`^${sequence}\\[(\\d+)A\\r${sequence}\\[0J(.*)$`, "s");
const cursor = new RegExp(`${sequence}\\[\\?25[lh]`, "g");
const colour = new RegExp(`(${sequence}\\[\\d+m)`, "g");

/** `ESC[3A\r ESC[0J` takes the last three lines back. */
function draw(screen: string, text: string): string {
  const [, count = "0", rest = text] = back.exec(text) ?? [];
  const lines = screen.split("\n");
  const kept =
    count === "0"
      ? screen
      : lines
          .slice(0, lines.length - 1 - Number(count))
          .map((line) => `${line}\n`)
          .join("");
  return kept + rest.replaceAll(cursor, "");
}

const durations = ["1.7 s", "12 ms", "402 ms", "1.6 s", "21 ms", "15 ms", "8 ms"];

/** Ids become others, durations go round a list, and instants stand still. */
function steady(text: string, store: string): string {
  const ids = new Map<string, string>();
  let duration = 0;
  return text
    .replaceAll(store, ".stepwell/stepwell.db")
    .replaceAll(/\b\d{13}\b/g, (id) => {
      const known = ids.get(id) ?? String(1_774_093_092_891 + ids.size * 3);
      ids.set(id, known);
      return known;
    })
    .replaceAll(/\b[0-9a-z]{8}-[\w-]{10,}/g, "mn0hfyrf-K3dPq7sVwYx2Lb9T")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-03-21 11:38:12")
    .replaceAll(/just now|\b\d+ [smh] ago/g, "2 m ago")
    .replaceAll(/(?<!Slept 400 and )\b\d+(?:\.\d+)? m?s\b/g, () => durations[duration++ % durations.length] ?? "");
}

const [columnWidth, lineHeight, margin] = [8.43, 19, 16];

const style = `.t{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#24292f;white-space:pre}
.back{fill:#f6f8fa;stroke:#d0d7de}.b{font-weight:bold}.c31{fill:#cf222e}.c32{fill:#116329}.c33{fill:#7d4e00}.c34{fill:#0969da}.c35{fill:#8250df}.c36{fill:#1b7c83}.c90{fill:#57606a}
@media(prefers-color-scheme:dark){.t{fill:#e6edf3}.back{fill:#0d1117;stroke:#30363d}.c31{fill:#ff7b72}.c32{fill:#3fb950}.c33{fill:#d29922}.c34{fill:#58a6ff}.c35{fill:#bc8cff}.c36{fill:#39c5cf}.c90{fill:#8b949e}}`;

/** A text with colours on a grid, legible on light and dark. */
export function drawTerminal(command: string, text: string): string {
  const lines = [`\u001B[90m$\u001B[39m ${command}`, ...text.trimEnd().split("\n")];
  const width = Math.max(...lines.map((line) => measureText(line.replaceAll(colour, "")))) * columnWidth + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" role="img" aria-label="${escape(command)} in a terminal">`,
    `<style>${style}</style>`,
    `<rect class="back" x=".5" y=".5" width="${Math.ceil(width) - 1}" height="${Math.ceil(height) - 1}" rx="8"/>`,
    ...lines.map((line, index) => drawLine(line, margin + (index + 0.75) * lineHeight)),
    "</svg>",
    "",
  ].join("\n");
}

/** Each piece of one colour stands at its own column, whatever the font. */
function drawLine(line: string, y: number): string {
  let column = 0;
  const classes = new Set<string>();
  const spans = line.split(colour).flatMap((piece) => {
    if (piece.startsWith(sequence)) changeStyle(classes, Number.parseInt(piece.slice(2), 10));
    if (piece.startsWith(sequence) || piece === "") return [];
    const x = (margin + column * columnWidth).toFixed(1);
    column += measureText(piece);
    return [
      `<tspan x="${x}"${classes.size === 0 ? "" : ` class="${[...classes].join(" ")}"`}>${escape(piece)}</tspan>`,
    ];
  });
  return `<text class="t" xml:space="preserve" y="${y}">${spans.join("")}</text>`;
}

function changeStyle(classes: Set<string>, code: number): void {
  if (code === 1) classes.add("b");
  else if (code === 22) classes.delete("b");
  else for (const name of classes) if (name !== "b") classes.delete(name);
  if (code >= 31 && code !== 39) classes.add(`c${code}`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

if (import.meta.main) {
  for (const [name, picture] of await drawTerminals()) writeFileSync(terminalFile(name), picture);
}
