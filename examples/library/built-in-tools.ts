// The tools that come with the engine, beside one of our own.
import { createBuiltinTools, defineTool, openEngine } from "stepwell";

const shout = defineTool({ name: "app.shout", effect: "read", call: ({ text }: { text: string }) => `${text}!` });
const builtin = createBuiltinTools({
  now: Date.now,
  filesFolder: process.argv[2] ?? "files", // the only folder that flows can read and write
  httpHosts: ["api.example.com", "*.example.org"], // the only hosts that flows can ask
  say: (text) => console.log(`log: ${text}`),
});
const engine = await openEngine({ store: ":memory:", tools: [...builtin, shout] });

const run = await engine.start({
  start: { tool: "text.upper", args: { text: "{{ input.text }}" }, next: "shout" },
  shout: { tool: "app.shout", args: { text: "{{ previous }}" }, next: "keep" },
  keep: { tool: "file.write", args: { path: "said/today.txt", text: "{{ previous }}" }, next: "tell" },
  tell: { tool: "log", args: { message: "{{ previous.bytes }} bytes in {{ previous.path }}" }, done: true },
}, { input: { text: "hello" } });
console.log((await engine.result(run.id)).status);
await engine.stop();
