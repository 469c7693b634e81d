import { expect, test } from "vitest";
import { splitWords } from "./shell-words.ts";

test.each([
  { line: "", words: [] },
  { line: "  npx   -y\tserver ", words: ["npx", "-y", "server"] },
  { line: `node "my file.mjs" 'it is'`, words: ["node", "my file.mjs", "it is"] },
  { line: `a"b c"'d e'f`, words: ["ab cd ef"] },
  { line: `say '' ""`, words: ["say", "", ""] },
  { line: String.raw`a\ b \"c\" \\ d\\e`, words: ["a b", '"c"', "\\", "d\\e"] },
  { line: String.raw`"a \"b\" \$c \n"`, words: [String.raw`a "b" $c \n`] },
  { line: String.raw`'C:\tools\x.exe' 'a"b'`, words: [String.raw`C:\tools\x.exe`, 'a"b'] },
  { line: String.raw`'it'\''s'`, words: ["it's"] },
  {
    line: "tool ${TOKEN} $HOME *.txt ~ `x` | && #",
    words: ["tool", "${TOKEN}", "$HOME", "*.txt", "~", "`x`", "|", "&&", "#"],
  },
  { line: "end\\", words: ["end\\"] },
])("$line is split as a shell does it, and nothing is expanded", ({ line, words }) => {
  expect(splitWords(line)).toEqual({ ok: true, words });
});

test.each(["node 'a", 'node "a', `"a'`])("a quote that is not closed is told: %s", (line) => {
  expect(splitWords(line)).toMatchObject({ ok: false, problem: expect.stringContaining("not closed") });
});
