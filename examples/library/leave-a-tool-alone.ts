// A tool that keeps failing is left alone for a while, and its step uses another one; then it is mended.
import { openEngine } from "stepwell";

let isUp = false;
const notices: string[] = [];

await using engine = await openEngine({
  store: process.argv[2] ?? "stepwell.db", // a path, or ":memory:"
  tools: {
    "news.fetch": () => {
      if (!isUp) throw new Error("503 from upstream");
      return "news of today";
    },
    "news.archive": () => "news of yesterday",
  },
  breaker: { failures: 3, openMs: 5 * 60_000, perTool: { "news.archive": false } },
  onNotice: ({ message }) => void notices.push(message),
});

const step = { tool: "news.fetch", retry: false, on_circuit_open: "fallback", fallback: "news.archive", done: true };
for (let time = 0; time < 4; time++) {
  const { id } = await engine.start({ start: step });
  const { output, error } = await engine.result(id);
  console.log(error?.message ?? output);
}
for (const { tool, state, count } of await engine.breakers.list()) console.log(tool, state, count);

isUp = true;
await engine.breakers.reset("news.fetch");
const { id } = await engine.start({ start: step });
console.log((await engine.result(id)).output);
console.log(notices.join("\n"));
