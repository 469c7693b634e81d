// Texts that have broken pages before, from beside the project; they are read there, never copied.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const folder = fileURLToPath(new URL("../../../../shared/corpora/xss", import.meta.url));

/** null: the texts are not there. */
export function readTexts(): readonly string[] | null {
  if (!existsSync(folder)) return null;
  const lines = readdirSync(folder)
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "");
  const texts = lines.map((line) => (JSON.parse(line) as { readonly text: string }).text);
  return [...new Set(texts)];
}

/** So many, from all over the list, always the same. */
export function pick(texts: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, texts.length / count);
  return Array.from({ length: Math.min(count, texts.length) }, (_none, at) => texts[Math.floor(at * step)] ?? "");
}
