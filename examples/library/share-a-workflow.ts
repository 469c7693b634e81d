// Carries a workflow from one place to another: exported as a text, looked at, imported, and exported again.
import { openEngine } from "stepwell";

await using here = await openEngine({ store: ":memory:" });
await using there = await openEngine({ store: ":memory:" });

await here.save({ name: "greet", steps: { say: { set: { text: "Hello {{ input.name }}!" }, done: true } } });
await here.save({ name: "welcome", steps: { greet: { flow: "greet", input: { name: "Ada" }, done: true } } });
const text = await here.workflows.exportText("welcome");

// Something else has one of the names already.
await there.save({ name: "greet", steps: { say: { set: { text: "Bye" }, done: true } } });
const plan = await there.workflows.planImport(text);
for (const { name, as, state, action } of plan.workflows) console.log(`${name} becomes ${as}: ${state}, ${action}`);

const { workflow } = await there.workflows.import(text, { by: "ada", enable: true });
const run = await there.start(workflow.name);
console.log(JSON.stringify((await there.result(run.id)).output));

await using elsewhere = await openEngine({ store: ":memory:" });
await elsewhere.workflows.import(text);
console.log("the same bytes:", (await elsewhere.workflows.exportText("welcome")) === text);
