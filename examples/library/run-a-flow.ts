// A program that runs a flow. Kill it at any moment and start it again: it goes on where it was.
import { openEngine } from "stepwell";

const engine = await openEngine({
  store: process.argv[2] ?? "stepwell.db", // a path, or ":memory:"
  tools: { greet: ({ name }: { name: string }) => `Hello ${name}!` },
});

const flow = {
  greet: { tool: "greet", args: { name: "{{ input.name }}" }, next: "review" },
  review: { gate: { title: "Send \"{{ previous }}\"?" }, routes: { approved: "send", rejected: "end" } },
  send: { set: { sent: "{{ steps.greet.result }}" }, done: true },
};
const run = await engine.start(flow, { input: { name: "Ada" }, idempotencyKey: "greet-ada" }); // on disk

for await (const { step, name, status } of engine.watch(run.id)) {
  console.log(name, status);
  if (step !== null && name === "review" && status === "pending") await engine.approve(step, { by: "bob" });
}
console.log((await engine.result(run.id)).output);
await engine.stop();
