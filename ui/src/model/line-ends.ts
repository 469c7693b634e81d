// Editors of text in a browser know one kind of line end. A text goes back with the one it came with.

export function withOneEnd(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Those of the other text: its first one's. */
export function withEndsOf(other: string, text: string): string {
  return text.replaceAll("\n", /\r?\n/.exec(other)?.[0] ?? "\n");
}
