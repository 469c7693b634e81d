// A tool gets a secret; the run, its history and the database only ever see its name.
import { openEngine } from "stepwell";

await using engine = await openEngine({
  store: process.argv[2] ?? "stepwell.db", // a path, or ":memory:"
  tools: { post: ({ auth }: { auth: string }) => ({ ok: auth === "Bearer s3cr3t-value", sent: auth }) },
});

await engine.secrets.set("API_KEY", "s3cr3t-value");
const { id } = await engine.start({
  start: { tool: "post", args: { auth: "Bearer {{ secrets.API_KEY }}" }, done: true },
});
console.log((await engine.result(id)).output);
console.log((await engine.get(id)).steps[0]?.args);
console.log((await engine.secrets.list()).map(({ name }) => name));
