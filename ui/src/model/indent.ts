// How far in the next line of a text in YAML begins.

const step = 2;

/** Behind this line, as far as it is written; null: as deep as brackets want it. */
export function indentBehind(line: string): number | null {
  const written = line.replace(/(^|\s)#.*$/, "").trimEnd();
  const dashes = /^\s*(?:-\s+|-$)*/.exec(written)?.[0].length ?? 0;
  const margin = /^\s*/.exec(line)?.[0].length ?? 0;
  const rest = written.slice(dashes);
  if (/[[{,]$/.test(rest)) return null;
  // `args:` and `text: |` want something below them.
  if (/:(?:\s+[|>][-+\d]*)?$/.test(rest)) return dashes + step;
  if (written.endsWith("-")) return margin + step;
  // An entry of more than one key goes on below its first key; any other is followed by the next entry.
  return /^(?:[\w.-]+|"[^"]*"|'[^']*'):\s/.test(rest) ? dashes : margin;
}
