// JSON as editors write it, with comments and a comma behind the last member. Both become spaces, as where the engine reads
// such files, so that lines stay what they were; a test compares the two.

/** A text in quotes, a comment, or something else. What is not closed matches to its end, so that each sign is looked at
 *  once. */
const part = /"(?:[^"\\\n]+|\\.)*"?|\/\/[^\n]*|\/\*(?:[^*]+|\*(?!\/))*(?:\*\/)?|[,}\]/]|[^",}\]/]+/gsu;

export function toPlainJson(text: string): string {
  const parts: string[] = [];
  /** Of the newest comma behind which nothing but blanks and comments came so far. */
  let comma: number | null = null;
  for (const [found] of text.replace(/^\uFEFF/u, " ").matchAll(part)) {
    const isComment = found.startsWith("//") || found.startsWith("/*");
    if ((found === "}" || found === "]") && comma !== null) parts[comma] = " ";
    if (found === ",") comma = parts.length;
    else if (!isComment && found.trim() !== "") comma = null;
    parts.push(isComment ? found.replaceAll(/[^\n]/gu, " ") : found);
  }
  return parts.join("");
}
