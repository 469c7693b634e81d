// A text of many lines for a terminal, which must not be steered by what somebody else wrote. Its indentation stays.

/** Tabs are shown as two blanks; other control characters, direction marks and the like are gone. */
export function toPlainLines(text: string): readonly string[] {
  return text
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => line.replaceAll("\t", "  ").replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ""));
}
