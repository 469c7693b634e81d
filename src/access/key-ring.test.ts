import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { serverKeyPath } from "./key-folder.ts";
import { KeyRing, keyPlaceOf } from "./key-ring.ts";
import { createSecretKey } from "./seal.ts";

const folder = mkdtempSync(join(tmpdir(), "stepwell-keys-"));
let count = 0;

function newPath(): string {
  count += 1;
  return join(folder, `${count}-key`);
}

function onFile(path: string): KeyRing {
  return new KeyRing({ given: undefined, path });
}

function idsIn(path: string): readonly string[] {
  return onFile(path)
    .list()
    .map(({ id }) => id);
}

afterAll(() => rmSync(folder, { recursive: true }));

describe("a key on file", () => {
  test("is made when it is first needed, for its owner alone", () => {
    const path = newPath();
    const ring = onFile(path);
    expect(ring.find("nothing")).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    const key = ring.current();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith(`${count}-key`))).toHaveLength(1);
    expect(onFile(path).current().id).toBe(key.id);
  });

  test("is seen by whoever looked before it was made", () => {
    const path = newPath();
    const early = onFile(path);
    expect(early.find("x")).toBeUndefined();
    const { id } = onFile(path).current();
    expect(early.find(id)?.id).toBe(id);
    expect(early.current().id).toBe(id);
  });

  test.each([0o644, 0o640, 0o604, 0o622])("that others may read or write (%o) is refused", (mode) => {
    const path = newPath();
    onFile(path).current();
    chmodSync(path, mode);
    expect(() => onFile(path).current()).toThrow(/can be read by others \(its mode is 06/);
  });

  test("that is no key is refused", () => {
    const path = newPath();
    writeFileSync(path, "password\n", { mode: 0o600 });
    expect(() => onFile(path).current()).toThrow("it must be 32 bytes");
  });

  test("gives way to another, and both open until the old one is retired", () => {
    const path = newPath();
    const ring = onFile(path);
    const old = ring.current();
    const next = createSecretKey();
    ring.add(next);
    expect(ring.current().id).toBe(next.id);
    expect(onFile(path).find(old.id)?.id).toBe(old.id);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    ring.retire([old.id]);
    expect(onFile(path).find(old.id)).toBeUndefined();
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("comes back when the new one is not wanted after all", () => {
    const path = newPath();
    const ring = onFile(path);
    const old = ring.current();
    const next = createSecretKey();
    ring.add(next);
    ring.remove(next);
    expect(onFile(path).current().id).toBe(old.id);
  });

  test("that another has put in its place is used at once, and none is lost by an old view of the file", () => {
    const path = newPath();
    const stale = onFile(path);
    const old = stale.current();
    const [next, third] = [createSecretKey(), createSecretKey()];
    onFile(path).add(next);
    expect(stale.current().id).toBe(next.id);
    onFile(path).add(third);
    stale.add(old);
    expect(idsIn(path)).toEqual([old.id, third.id, next.id]);
    onFile(path).add(next);
    stale.remove(third);
    expect(idsIn(path)).toEqual([next.id, old.id]);
    onFile(path).add(third);
    stale.retire([old.id]);
    expect(idsIn(path)).toEqual([third.id, next.id]);
  });

  test("that seals is never retired or removed without another", () => {
    const path = newPath();
    const ring = onFile(path);
    const { id } = ring.current();
    ring.retire([id]);
    ring.remove(ring.current());
    expect(idsIn(path)).toEqual([id]);
  });

  test.each(["", "\n", " , \n"])("is refused when there is none in the file (%j)", (text) => {
    const path = newPath();
    writeFileSync(path, text, { mode: 0o600 });
    for (const use of [() => onFile(path).current(), () => onFile(path).add(createSecretKey())])
      expect(use).toThrow(expect.objectContaining({ code: "SECRET_KEY_UNUSABLE" }));
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("whose folder is not there is told so", () => {
    expect(() => onFile(join(folder, "missing", "key")).current()).toThrow("cannot be used");
  });
});

describe("a key that is given", () => {
  const [one, two] = [createSecretKey(), createSecretKey()];
  const [first, second] = [one.bytes.toString("base64"), two.bytes.toString("hex")];

  test("is used, and no file is made", () => {
    const path = newPath();
    const ring = new KeyRing({ given: `${first}, ${second}`, path });
    expect(ring.current().id).toBe(one.id);
    expect(ring.find(two.id)?.id).toBe(two.id);
    expect(ring.isGiven).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test.each([" ", "\n", ","])("that is blank (%j) is refused", (given) => {
    const ring = new KeyRing({ given, path: newPath() });
    expect(() => ring.current()).toThrow("STEPWELL_SECRET_KEY holds no key for secrets");
    expect(existsSync(newPath())).toBe(false);
  });

  test("of another length is refused without showing it", () => {
    const ring = new KeyRing({ given: "c2hvcnQ=", path: null });
    expect(() => ring.current()).toThrow("STEPWELL_SECRET_KEY is no key for secrets");
    expect(() => ring.current()).not.toThrow("c2hvcnQ=");
  });
});

test("two names of one database have one key", () => {
  const [database, link] = [newPath(), newPath()];
  writeFileSync(database, "");
  symlinkSync(database, link);
  expect(keyPlaceOf(link, "").path).toBe(keyPlaceOf(database, "").path);
  expect(keyPlaceOf(":memory:", "k")).toEqual({ given: "k", path: null });
});

test("without a file a key lives as long as its ring", () => {
  const ring = new KeyRing({ given: undefined, path: null });
  expect(ring.current().id).toBe(ring.current().id);
  expect(ring.isGiven).toBe(false);
});

describe("the key of a store on a server", () => {
  const environment = { XDG_STATE_HOME: "/state" };
  const pathOf = (address: string, more: Readonly<Record<string, string>> = {}): string =>
    serverKeyPath(address, { ...environment, ...more });

  test("lies in the user's folder for such things, one for each database and schema", () => {
    const path = pathOf("postgres://ann:secret@db.example.com/app?schema=flows");
    expect(path).toMatch(/^\/state\/stepwell\/db\.example\.com-app-flows-[0-9a-f]{12}\.key$/);
    expect(path).not.toContain("secret");
    const others = ["db.example.com:5433/app?schema=flows", "db.example.com/app", "other.example.com/app?schema=flows"];
    expect(new Set([path, ...others.map((other) => pathOf(`postgres://${other}`))]).size).toBe(4);
  });

  test("is the same whoever connects, and by whichever name of this machine", () => {
    const path = pathOf("postgres://localhost/app");
    expect(pathOf("postgresql://ann:pass@127.0.0.1:5432/app?schema=stepwell&sslmode=disable")).toBe(path);
    expect(pathOf("postgres:///app?host=/var/run/postgresql")).toBe(path);
    expect(pathOf("postgres:///", { PGHOST: "localhost", PGDATABASE: "app" })).toBe(path);
  });

  test("is made with its folder, for its owner alone", () => {
    const path = join(folder, "state", "stepwell", "a.key");
    const ring = new KeyRing({ given: undefined, path, makesFolder: true });
    const { id } = ring.current();
    expect(idsIn(path)).toEqual([id]);
    expect(statSync(join(folder, "state", "stepwell")).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
