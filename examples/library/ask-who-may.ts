// Two users: one may start runs and call one tool, the other only looks at them. Whoever is not known may do nothing.
import { openEngine, StepwellError } from "stepwell";

await using engine = await openEngine({
  store: process.argv[2] ?? "stepwell.db", // a path, or ":memory:"
  tools: { "mail.send": () => "sent", "file.delete": () => "gone" },
});

await engine.access.save("group:staff", { keys: ["130001.read"] });
await engine.access.save("ann", { groups: ["staff"], keys: ["130001.start", "tool:mail.*"] });
await engine.access.save("bob", { groups: ["staff"] });

const { id } = await engine.as("ann").start({
  start: { tool: "mail.send", next: "tidy" },
  tidy: { tool: "file.delete", done: true },
});
const { status, error } = await engine.as("bob").result(id);
console.log(status, error?.message);

for (const user of ["bob", "eve"]) {
  const refused = await engine.as(user).cancel(id).catch((reason: unknown) => reason);
  if (refused instanceof StepwellError) console.log(refused.code, refused.message);
}

const token = await engine.access.tokens.create({ user: "ann", name: "nightly job", scopes: ["130001.read"] });
const asker = await engine.access.tokens.check(token.text);
if (asker !== null) console.log(asker.user, (await engine.as(asker).list()).length);
