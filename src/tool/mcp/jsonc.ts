// JSON as editors write it, with comments and commas behind the last member. Both become spaces, so that everything else
// stays where it was and a reader of plain JSON names the right places. One pass, whatever the text: a pattern with
// alternatives takes quadratic time over comments that never end. Pure.

export function toPlainJson(text: string): string {
  const parts: string[] = [];
  /** Of the newest comma with nothing but blanks and comments behind it so far, in `parts`. */
  let comma: number | null = null;
  for (let at = 0; at < text.length;) {
    const end = endOfPart(text, at);
    const part = text.slice(at, end);
    const first = text.charAt(at);
    if (first === "/" && end > at + 1) parts.push(part.replaceAll(/[^\n]/g, " "));
    else {
      if ((first === "}" || first === "]") && comma !== null) parts[comma] = " ";
      if (first === ",") comma = parts.length;
      else if (!isBlank(first)) comma = null;
      parts.push(first === "\uFEFF" && at === 0 ? " " : part);
    }
    at = end;
  }
  return parts.join("");
}

/** A text, a comment or a stretch of something else. What is not closed ends with the line or the document, and the reader
 *  of JSON tells of it. */
function endOfPart(text: string, at: number): number {
  const first = text.charAt(at);
  if (first === '"') return endOfText(text, at);
  if (text.startsWith("//", at)) return endOr(text.indexOf("\n", at), text.length);
  if (text.startsWith("/*", at)) {
    const close = text.indexOf("*/", at + 2);
    return close === -1 ? text.length : close + 2;
  }
  let end = at + 1;
  if (first === "," || first === "}" || first === "]" || first === "/" || first === "\uFEFF") return end;
  const kind = isBlank(first);
  while (end < text.length && isBlank(text.charAt(end)) === kind && !'"/,}]'.includes(text.charAt(end))) end += 1;
  return end;
}

function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"' && text.charAt(end) !== "\n")
    end += text.charAt(end) === "\\" ? 2 : 1;
  return Math.min(end + 1, text.length);
}

function endOr(found: number, otherwise: number): number {
  return found === -1 ? otherwise : found;
}

function isBlank(sign: string): boolean {
  return sign === " " || sign === "\t" || sign === "\r" || sign === "\n";
}
