import { expect, test } from "vitest";
import type { AuditEntry } from "../store/audit.ts";
import { createDesk, createWorld, type OpenedEngine } from "../testing/engine.ts";
import { systemClock } from "./clock.ts";

const asking = { start: { gate: {}, done: true } };
const greet = { name: "greet", steps: { start: { set: {}, done: true } } };
const waiting = { start: { wait: { event: "paid" }, done: true } };

function inShort(entries: readonly AuditEntry[]): readonly string[] {
  return entries.map(({ user, verb, subject }) => `${user} ${verb} ${subject}`).toReversed();
}

async function listAudit({ engine }: OpenedEngine): Promise<readonly string[]> {
  return inShort(await engine.access.audit());
}

test("every change of a run that somebody asks for is on record, and its start is not", async () => {
  await using world = createWorld("memory");
  const opened = await world.open();
  const { engine, row } = opened;
  const { id } = await engine.start(asking, { as: "ann" });
  await world.settle();
  const step = (await row(id, "start")).id;
  await engine.pause(id, { by: "ann" });
  await engine.resume(id, { by: "ann" });
  await engine.approve(step, { by: "ben", comment: "fine" });
  const { id: second } = await engine.start(asking);
  await engine.cancel(second, { by: "ann", reason: "wrong order" });
  expect(await listAudit(opened)).toEqual([
    `ann run.pause ${id}`,
    `ann run.resume ${id}`,
    `ben step.answer ${step}`,
    `ann run.cancel ${second}`,
  ]);
  const [cancelled, answered] = await engine.access.audit({ limitMax: 2 });
  expect(cancelled).toMatchObject({
    at: world.clock.now(),
    via: null,
    source: "library",
    details: { reason: "wrong order" },
  });
  expect(answered?.details).toEqual({ outcome: "approved", comment: "fine" });
});

test("what is refused is not on record", async () => {
  await using world = createWorld("memory");
  const opened = await world.open();
  const { engine } = opened;
  const { id } = await engine.start({ start: { set: {}, done: true } });
  await engine.result(id);
  await expect(engine.pause(id)).rejects.toMatchObject({ code: "REFUSED" });
  await expect(engine.cancel(17)).rejects.toThrow("There is no run 17");
  await expect(engine.approve(17)).rejects.toThrow("There is no step 17");
  await expect(engine.workflows.delete("none")).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
  await expect(engine.access.tokens.revoke("tok_none")).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
  expect(await listAudit(opened)).toEqual([]);
});

test("a change stands in the same transaction as what is on record of it", async () => {
  await using world = createWorld("memory");
  const { engine, store } = await world.open();
  const { id } = await engine.start(waiting);
  await world.settle();
  await engine.pause(id);
  await engine.save(greet);
  const withRecord = store.batches.filter(({ audit }) => audit.length > 0);
  expect(withRecord.map(({ runs, entries }) => [runs.length, entries.length])).toEqual([
    [1, 0],
    [0, 2],
  ]);
  // And nothing of it is sent where there is none.
  expect(store.batches.filter(({ audit, ratings }) => audit.length + ratings.length > 0)).toEqual(withRecord);
});

test("a message that is decided again is on record once", async () => {
  await using world = createWorld("memory");
  const opened = await world.open();
  const { engine, store } = opened;
  const { id } = await engine.start(waiting);
  await world.settle();
  let refusals = 0;
  store.faults.beforeCommit = () =>
    refusals++ < 2 ? { kind: "refused", reason: "busy", message: "somebody else writes" } : undefined;
  const paused = engine.pause(id);
  const saved = engine.save(greet);
  await world.clock.advance(2000);
  await Promise.all([paused, saved]);
  expect((await listAudit(opened)).toSorted()).toEqual([`local run.pause ${id}`, "local workflow.save greet"]);
  // Under a key of the caller's own it is asked twice and happens once.
  await engine.under("k1").resume(id);
  await engine.under("k1").resume(id);
  expect((await listAudit(opened)).filter((line) => line.includes("run.resume"))).toHaveLength(1);
});

test("signals, events and old runs that are removed are on record", async () => {
  await using world = createWorld("memory");
  const opened = await world.open();
  const { engine } = opened;
  const runs = [await engine.start(waiting), await engine.start(waiting)];
  await world.settle();
  await engine.emit("nobody waits for this");
  await engine.signal(runs[0]?.id ?? 0, "hello", { secret: "not told" });
  expect(await engine.emit("paid", { secret: "not told" })).toBe(2);
  await Promise.all(runs.map(({ id }) => engine.result(id)));
  await world.clock.advance(1000);
  expect(await engine.prune({ endedBefore: world.clock.now() })).toEqual({ runs: 2 });
  await engine.prune({ endedBefore: world.clock.now() });
  await engine.result((await engine.start({ start: { set: {}, done: true } }, { name: "short" })).id);
  expect(await engine.prune({ name: "short" })).toEqual({ runs: 1 });
  const { id } = await engine.start({ start: { set: {}, done: true } });
  await engine.result(id);
  await engine.remove(id);
  expect(await listAudit(opened)).toEqual([
    `local run.signal ${runs[0]?.id}`,
    "local event.emit paid",
    "local run.prune null",
    "local run.prune short",
    `local run.remove ${id}`,
  ]);
  const entries = await engine.access.audit();
  expect(entries.map(({ details }) => details)).toEqual([
    {},
    {},
    { ended_before: expect.any(Number) },
    { runs: 2 },
    { name: "hello" },
  ]);
  expect(JSON.stringify(entries)).not.toContain("not told");
});

test("what is kept beside the runs is on record without anything secret", async () => {
  await using world = createWorld("memory");
  const opened = await world.open();
  const { engine } = opened;
  const flow = { name: "greet", steps: { start: { set: { text: "words of the flow" }, done: true } } };
  await engine.save(flow, { note: "first", by: "ann" });
  await engine.workflows.disable("greet");
  await engine.workflows.enable("greet@1");
  await engine.workflows.restore("greet", 1);
  await engine.workflows.delete("greet");
  await engine.secrets.set("mail", "hunter2-hunter2");
  await engine.secrets.remove("mail");
  await engine.access.save("ann", { keys: ["130001"], password: "correct horse battery" });
  await engine.access.grant("ann", "tool:*");
  await engine.access.revoke("ann", "tool:*");
  await engine.access.setPassword("ann", "battery staple correct");
  const { text, id } = await engine.access.tokens.create({ user: "ann", name: "ci", scopes: ["130001.read"] });
  await engine.access.tokens.check(text);
  await world.settle();
  await engine.access.tokens.revoke(id);
  await engine.access.tokens.revoke(id);
  const session = await engine.access.sessions.open("ann", "battery staple correct");
  await engine.access.sessions.check(session.text);
  await engine.access.sessions.close(session.text);
  await engine.access.remove("ann");
  expect(await listAudit(opened)).toEqual([
    "ann workflow.save greet",
    "local workflow.disable greet",
    "local workflow.enable greet",
    "local workflow.restore greet",
    "local workflow.delete greet",
    "local secret.set mail",
    "local secret.remove mail",
    "local user.save ann",
    "local user.grant ann",
    "local user.revoke ann",
    "local user.set_password ann",
    `local token.create ${id}`,
    `local token.revoke ${id}`,
    "ann session.open ann",
    "ann session.close ann",
    "local user.remove ann",
  ]);
  const entries = await engine.access.audit();
  const [created] = await engine.access.audit({ verb: "token.create" });
  expect(created?.details).toEqual({ user: "ann", name: "ci", scopes: ["130001.read"] });
  expect((await engine.access.audit({ verb: "workflow.save" }))[0]?.details).toMatchObject({ note: "first" });
  const all = JSON.stringify(entries);
  for (const secret of [text, session.text, "hunter2", "horse", "staple", "words of the flow", "scrypt", "hash"])
    expect(all).not.toContain(secret);
});

test("it says by which token somebody came, and from where", async () => {
  await using world = createWorld("file");
  const { engine } = await world.open({ clock: systemClock });
  const guest = await world.open({ clock: systemClock });
  await engine.access.save("ann", { keys: ["130001", "tool:*"] });
  const { id: via } = await engine.access.tokens.create({ user: "ann", name: "ci" });
  const ann = engine.as({ user: "ann", via, scopes: null }, { source: "rest 10.0.0.7" });
  const { id } = await ann.start(waiting);
  await ann.pause(id);
  await ann.under("k").resume(id);
  await guest.engine.cancel(id, { by: "ann" });
  const entries = await engine.access.audit({ subject: String(id) });
  expect(entries.map(({ user, via: how, source }) => [user, how, source])).toEqual([
    ["ann", null, "guest"],
    ["ann", via, "rest 10.0.0.7"],
    ["ann", via, "rest 10.0.0.7"],
  ]);
});

test("only who may say who may do what reads it", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  await engine.access.save("ann", { keys: ["130001.read", "130001.save"] });
  await engine.access.save("root", { keys: ["130001"] });
  await expect(engine.as("ann").access.audit()).rejects.toThrow("130001.admin");
  expect(await engine.as("root").access.audit({ verb: "user.save" })).toHaveLength(2);
});

test("a breaker that a person resets is on record, and one that opens by itself is not", async () => {
  await using world = createWorld("memory");
  const desk = createDesk();
  const opened = await world.open({ tools: { slow: desk.call }, breaker: { failures: 1 } });
  const { engine } = opened;
  const { id } = await engine.start({ start: { tool: "slow", retry: false, done: true } });
  await world.settle();
  desk.last().fail(new Error("no"));
  await engine.result(id);
  expect(await listAudit(opened)).toEqual([]);
  await engine.breakers.reset("slow");
  expect(await listAudit(opened)).toEqual(["local breaker.reset slow"]);
});

test("after a year it goes", async () => {
  await using world = createWorld("memory", { duties: "once" });
  const opened = await world.open();
  await opened.engine.save(greet);
  await world.clock.advance(364 * 86_400_000);
  expect(await listAudit(opened)).toHaveLength(1);
  await world.clock.advance(2 * 86_400_000);
  expect(await listAudit(opened)).toEqual([]);
});
