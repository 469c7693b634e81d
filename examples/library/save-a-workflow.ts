// Saves a flow under a name, changes it, and goes back: versions stay, and runs keep theirs.
import { openEngine } from "stepwell";

await using engine = await openEngine({
  store: process.argv[2] ?? "stepwell.db", // a path, or ":memory:"
  tools: { greet: ({ name }: { name: string }) => `Hello ${name}!` },
});

const say = { tool: "greet", args: { name: "{{ input.name }}" } };
await engine.save({ name: "greet", steps: { say: { ...say, done: true } } }, { note: "first" });
await engine.save({
  name: "greet",
  steps: { say: { ...say, next: "shout" }, shout: { set: { text: "{{ upper(previous) }}" }, done: true } },
});

for (const workflow of ["greet", "greet@1"]) {
  const run = await engine.start(workflow, { input: { name: "Ada" } });
  console.log(workflow, JSON.stringify((await engine.result(run.id)).output));
}

const { steps, lines } = await engine.workflows.diff("greet", 1, 2);
console.log("added", steps.added, "changed", steps.changed, `${lines.length} lines`);

const { version, note } = await engine.workflows.restore("greet", 1).then(() => engine.workflows.get("greet"));
console.log(`version ${version}: ${note}`);
