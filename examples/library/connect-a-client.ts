// One process runs the flows; others start, answer and read them without an engine of their own.
import { connect, openEngine } from "stepwell";

const store = process.argv[2] ?? "stepwell.db";
const flow = {
  greet: { tool: "greet", args: { name: "{{ input.name }}" }, next: "review" },
  review: { gate: {}, next: "send" },
  send: { set: { sent: "{{ steps.greet.result }}" }, done: true },
};

// In one process, such as a worker:
const engine = await openEngine({ store, tools: { greet: ({ name }: { name: string }) => `Hello ${name}!` } });

// In all others, such as those that serve pages:
await using client = await connect({ store });
const { id } = await client.start(flow, { input: { name: "Ada" }, idempotencyKey: "greet-ada" });
for await (const { step, name, status } of client.watch(id))
  if (step !== null && name === "review" && status === "pending") await client.approve(step, { by: "bob" });
console.log((await client.result(id, { timeout: "5m" })).output);

await engine.stop();
console.log((await client.get(id)).status); // reading needs no engine
