// Every verb of the engine asks who asks. The list of verbs is read from the engine itself: one that is added without a
// check fails here.

import { describe, expect, test } from "vitest";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import { systemClock } from "./clock.ts";
import { Engine, type UserEngine } from "./engine.ts";

type Attempt = (engine: UserEngine) => Promise<unknown> | AsyncIterable<unknown>;

const flow = { start: { tool: "log", done: true } };

/** One use of each verb, and a right with which it is not refused. */
const attempts: Readonly<Record<string, readonly [right: string, attempt: Attempt]>> = {
  start: ["130001.start", (engine) => engine.start(flow)],
  retry: ["130001", (engine) => engine.retry(1)],
  rerun: ["130001", (engine) => engine.rerun(1)],
  fork: ["130001", (engine) => engine.fork(1)],
  result: ["130001.read", (engine) => engine.result(1)],
  get: ["130001.read", (engine) => engine.get(1)],
  list: ["130001.read", (engine) => engine.list()],
  flow: ["130001.read", (engine) => engine.flow(1)],
  history: ["130001.read", (engine) => engine.history(1)],
  watch: ["130001.read", (engine) => engine.watch(1)],
  changes: ["130001.read", (engine) => engine.changes({ run: 1 })],
  preview: ["130001.read", (engine) => engine.preview(1)],
  ready: ["130001.answer", (engine) => engine.ready(1)],
  answer: ["130001.answer", (engine) => engine.answer(1, { outcome: "approved" })],
  approve: ["130001.answer", (engine) => engine.approve(1)],
  reject: ["130001.answer", (engine) => engine.reject(1)],
  fire: ["130001.answer", (engine) => engine.fire(1, { transition: "go" })],
  signal: ["130001.signal", (engine) => engine.signal(1, "go")],
  emit: ["130001.signal", (engine) => engine.emit("go")],
  cancel: ["130001.cancel", (engine) => engine.cancel(1)],
  pause: ["130001.operate", (engine) => engine.pause(1)],
  resume: ["130001.operate", (engine) => engine.resume(1)],
  resolve: ["130001.operate", (engine) => engine.resolve(1, { how: "retry" })],
  skip: ["130001.operate", (engine) => engine.skip(1)],
  choose: ["130001.operate", (engine) => engine.choose(1, { step: null })],
  prune: ["130001.admin", (engine) => engine.prune({ endedBefore: 1 })],
  remove: ["130001.admin", (engine) => engine.remove(1)],
  save: ["130001.save", (engine) => engine.save(flow, { name: "flow" })],
  "workflows.save": ["130001.save", (engine) => engine.workflows.save(flow, { name: "flow" })],
  "workflows.list": ["130001.read", (engine) => engine.workflows.list()],
  "workflows.get": ["130001.read", (engine) => engine.workflows.get("flow")],
  "workflows.versions": ["130001.read", (engine) => engine.workflows.versions("flow")],
  "workflows.diff": ["130001.read", (engine) => engine.workflows.diff("flow", 1)],
  "workflows.restore": ["130001.save", (engine) => engine.workflows.restore("flow", 1)],
  "workflows.enable": ["130001.save", (engine) => engine.workflows.enable("flow")],
  "workflows.disable": ["130001.save", (engine) => engine.workflows.disable("flow")],
  "workflows.delete": ["130001.save", (engine) => engine.workflows.delete("flow")],
  "workflows.clone": ["130001", (engine) => engine.workflows.clone("flow")],
  "workflows.export": ["130001.read", (engine) => engine.workflows.export("flow")],
  "workflows.exportText": ["130001.read", (engine) => engine.workflows.exportText("flow")],
  "workflows.planImport": ["130001.read", (engine) => engine.workflows.planImport({})],
  "workflows.import": ["130001", (engine) => engine.workflows.import({})],
  "outcomes.list": ["130001.read", (engine) => engine.outcomes.list()],
  "outcomes.statistics": ["130001.read", (engine) => engine.outcomes.statistics()],
  "outcomes.steps": ["130001.read", (engine) => engine.outcomes.steps(1)],
  "outcomes.rate": ["130001", (engine) => engine.outcomes.rate(1, { quality: "up" })],
  "overview.search": ["130001.read", (engine) => engine.overview.search()],
  "overview.find": ["130001.read", (engine) => engine.overview.find("1")],
  "overview.alarms": ["130001.read", (engine) => engine.overview.alarms()],
  "overview.stats": ["130001.read", (engine) => engine.overview.stats()],
  "overview.readTime": ["130001.read", (engine) => engine.overview.readTime("tomorrow at 9am")],
  "overview.figures": ["130001.read", (engine) => engine.overview.figures()],
  "servers.list": ["130001.read", (engine) => engine.servers.list()],
  "servers.restart": ["130001.operate", (engine) => engine.servers.restart("files")],
  "servers.test": ["130001.operate", (engine) => engine.servers.test("files")],
  "servers.add": ["130001.admin", (engine) => engine.servers.add("files", { command: "files-server" })],
  "servers.remove": ["130001.admin", (engine) => engine.servers.remove("files")],
  "servers.tryOut": ["130001.admin", (engine) => engine.servers.tryOut("files", { command: "files-server" })],
  "lock.show": ["130001.read", (engine) => engine.lock.show()],
  "lock.changes": ["130001.read", (engine) => engine.lock.changes()],
  "lock.approve": ["130001.admin", (engine) => engine.lock.approve("files")],
  "breakers.list": ["130001.read", (engine) => engine.breakers.list()],
  "breakers.reset": ["130001.operate", (engine) => engine.breakers.reset("log")],
  "tools.list": ["130001.read", (engine) => engine.tools.list()],
  "tools.get": ["130001.read", (engine) => engine.tools.get("log")],
  "tools.call": ["130001.start", (engine) => engine.tools.call("log")],
  "access.list": ["130001.admin", (engine) => engine.access.list()],
  "access.audit": ["130001.admin", (engine) => engine.access.audit()],
  "access.save": ["130001.admin", (engine) => engine.access.save("eve", { keys: ["130001"] })],
  "access.remove": ["130001.admin", (engine) => engine.access.remove("bob")],
  "access.grant": ["130001.admin", (engine) => engine.access.grant("bob", "130001")],
  "access.revoke": ["130001.admin", (engine) => engine.access.revoke("bob", "130001.read")],
  "access.tokens.create": ["130001.admin", (engine) => engine.access.tokens.create({ user: "bob", name: "x" })],
  "access.tokens.list": ["130001.admin", (engine) => engine.access.tokens.list()],
  "access.tokens.revoke": ["130001.admin", (engine) => engine.access.tokens.revoke("tok_x")],
  "access.tokens.check": ["130001.admin", (engine) => engine.access.tokens.check("swk_x")],
  "access.setPassword": ["130001.admin", (engine) => engine.access.setPassword("bob", "correct horse")],
  "access.rightsOf": ["130001.admin", (engine) => engine.access.rightsOf({ user: "bob", via: null, scopes: null })],
  "access.sessions.open": ["130001.admin", (engine) => engine.access.sessions.open("bob", "correct horse")],
  "access.sessions.check": ["130001.admin", (engine) => engine.access.sessions.check("sws_x")],
  "access.sessions.close": ["130001.admin", (engine) => engine.access.sessions.close("sws_x")],
  "access.sessions.closeAll": ["130001.admin", (engine) => engine.access.sessions.closeAll("bob")],
  "secrets.set": ["130001.secrets", (engine) => engine.secrets.set("KEY", "value")],
  "secrets.list": ["130001.secrets", (engine) => engine.secrets.list()],
  "secrets.remove": ["130001.secrets", (engine) => engine.secrets.remove("KEY")],
  "secrets.rotate": ["130001.secrets", (engine) => engine.secrets.rotate()],
};

/** For the program that has opened the engine; what tells nothing about runs; what only the engine itself can reach. */
const apart = new Set(
  "open as readsFor under stop isOwner store tools.load tools.unload overview.mask health validate access.isOpen window".split(
    " ",
  ),
);

/** `start`, `secrets.set`, …: all that a program can call, and what it can look at. */
function verbsOf(object: object, path: string): readonly string[] {
  const found = Object.entries(membersOf(object));
  return found.flatMap(([name, descriptor]) => {
    const verb = path + name;
    if (name === "constructor" || apart.has(verb)) return [];
    const inner: unknown = descriptor.get === undefined ? descriptor.value : descriptor.get.call(object);
    return typeof inner === "object" && inner !== null ? verbsOf(inner, `${verb}.`) : [verb];
  });
}

/** With what it inherits. */
function membersOf(object: object): Readonly<Record<string, PropertyDescriptor>> {
  const above: object | null = Object.getPrototypeOf(object);
  const inherited = above === null || above === Object.prototype ? {} : membersOf(above);
  return { ...inherited, ...Object.getOwnPropertyDescriptors(object) };
}

async function codeOf(attempt: Attempt, engine: UserEngine): Promise<string> {
  const given = attempt(engine);
  return codeOfRejection(Symbol.asyncIterator in given ? given[Symbol.asyncIterator]().next() : given);
}

describe("every verb of the engine", () => {
  test("is in the list of this test", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect(engine).toBeInstanceOf(Engine);
    expect(verbsOf(engine, "").toSorted()).toEqual(Object.keys(attempts).toSorted());
  });

  test("E3-23: is refused with the same code to who has no key, and changes nothing", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { log: () => null } });
    await engine.access.save("bob", { keys: ["130001.read"] });
    const before = await engine.access.list();
    for (const user of ["eve", "Bob", "bob."]) {
      const codes = new Map<string, string>();
      for (const [verb, [, attempt]] of Object.entries(attempts))
        codes.set(verb, await codeOf(attempt, engine.as(user)));
      expect([...codes].filter(([, code]) => code !== "NOT_ALLOWED")).toEqual([]);
    }
    expect(await engine.list()).toEqual([]);
    expect(await engine.access.list()).toEqual(before);
    expect(await engine.access.tokens.list()).toEqual([]);
    expect(await engine.secrets.list()).toEqual([]);
    expect(await engine.workflows.list()).toEqual([]);
  });

  test("E3-23: is refused alike when another process owns the store", async () => {
    await using world = createWorld("file");
    const { engine: owner } = await world.open({ clock: systemClock, tools: { log: () => null } });
    const { engine: guest } = await world.open({ clock: systemClock });
    expect(guest.isOwner).toBe(false);
    await owner.access.save("bob", { keys: ["130001.read"] });
    const tried = Object.entries(attempts).map(
      async ([verb, [, attempt]]) => `${verb}: ${await codeOf(attempt, guest.as("eve"))}`,
    );
    expect((await Promise.all(tried)).filter((told) => !told.endsWith(": NOT_ALLOWED"))).toEqual([]);
  });

  test.each(Object.entries(attempts).map(([verb, [right]]) => ({ verb, right })))(
    "$verb is open to who has $right, and to nobody with all other keys",
    async ({ verb, right }) => {
      await using world = createWorld("memory");
      const { engine } = await world.open({ tools: { log: () => null } });
      const [, attempt] = attempts[verb] ?? ["", () => Promise.resolve()];
      const others = Object.values(attempts).flatMap(([other]) => (other === right ? [] : [other]));
      await engine.access.save("ann", { keys: [right] });
      await engine.access.save("bob", {
        keys: right === "130001" ? ["tool:*"] : others.filter((key) => key !== "130001"),
      });
      expect(await codeOf(attempt, engine.as("bob"))).toBe("NOT_ALLOWED");
      expect(await codeOf(attempt, engine.as("ann"))).not.toBe("NOT_ALLOWED");
    },
  );

  test("is open to everybody as long as there are no principals", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { log: () => null } });
    const open = Object.entries(attempts).filter(([verb]) => verb !== "access.save");
    for (const [, [, attempt]] of open) expect(await codeOf(attempt, engine.as("anybody"))).not.toBe("NOT_ALLOWED");
  });
});

test("who has the engine in a user's name can neither stop it nor become somebody else", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  const user = engine.as("ann") as Engine;
  expect(await codeOfRejection(user.stop())).toBe("NOT_ALLOWED");
  expect(await codeOfRejection(user.open())).toBe("NOT_ALLOWED");
  expect(await codeOfRejection(user[Symbol.asyncDispose]())).toBe("NOT_ALLOWED");
  expect(() => user.as("bob")).toThrow("Only the program");
  expect(await engine.list()).toEqual([]);
});
