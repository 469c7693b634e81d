// Files below one folder, and everybody who wants out of it.

import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createContext } from "../../testing/call-context.ts";
import type { ToolAnswer } from "../tool.ts";
import { createFileTools } from "./file.ts";
import { createFolder, type Folder } from "./file/folder.ts";

let place = "";
let folder = "";

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "stepwell-"));
  folder = join(place, "files");
  mkdirSync(folder);
  writeFileSync(join(place, "secret.txt"), "secret");
});

afterEach(() => rmSync(place, { recursive: true }));

async function call(name: string, input: Json): Promise<ToolAnswer | undefined> {
  return await createFileTools(folder)
    .find((tool) => tool.name === name)
    ?.call(createContext(input));
}

const read = (path: string): Promise<ToolAnswer | undefined> => call("file.read", { path });
const write = (path: string, text: Json = "x"): Promise<ToolAnswer | undefined> => call("file.write", { path, text });

function refused(code: string): object {
  return { kind: "failed", code, isFinal: true };
}

describe("files in the folder", () => {
  test("are read as they were written, folders on the way are made", async () => {
    expect(await write("a/b/digest.md", "Grüße")).toMatchObject({ result: { path: "a/b/digest.md", bytes: 7 } });
    expect(await read("a/b/digest.md")).toMatchObject({ result: { path: "a/b/digest.md", text: "Grüße", bytes: 7 } });
    expect(await write("value.json", { a: [1] })).toMatchObject({ kind: "done" });
    expect(readFileSync(join(folder, "value.json"), "utf8")).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  });

  test("are replaced as a whole, and nothing is left lying about", async () => {
    await write("a.txt", "a long first text");
    await write("a.txt", "short");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("short");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  test("are replaced under one of two names; the other keeps what it had", async () => {
    linkSync(join(place, "secret.txt"), join(folder, "a.txt"));
    expect(await write("a.txt", "new")).toMatchObject({ kind: "done" });
    expect(readFileSync(join(place, "secret.txt"), "utf8")).toBe("secret");
  });

  test("make their folder when it is not there yet", async () => {
    rmSync(folder, { recursive: true });
    expect(await read("a.txt")).toMatchObject(refused("file_not_found"));
    expect(await write("a.txt")).toMatchObject({ kind: "done" });
    expect(await read("a.txt")).toMatchObject({ result: { text: "x" } });
  });

  test("may lie in a folder that is reached by a link: that was the choice of who named it", async () => {
    symlinkSync(folder, join(place, "link"));
    const tools = createFileTools(join(place, "link"));
    const answer = await tools[1]?.call(createContext({ path: "a.txt", text: "x" }));
    expect(answer).toMatchObject({ kind: "done" });
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  test("are texts of at most 4 MB", async () => {
    writeFileSync(join(folder, "bytes"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(await read("bytes")).toMatchObject(refused("not_text"));
    writeFileSync(join(folder, "large"), Buffer.alloc(4 * 1024 * 1024 + 1, "x"));
    expect(await read("large")).toMatchObject(refused("file_too_large"));
    const small = createFolder(folder, { bytesMax: 3 });
    await expect(small.write("b", Buffer.from("four"))).rejects.toMatchObject({ code: "file_too_large" });
    expect(readdirSync(folder)).toEqual(["bytes", "large"]);
  });

  test("that fit as bytes and not as a result are refused with what can be done", async () => {
    writeFileSync(join(folder, "quotes"), '"'.repeat(3 * 1024 * 1024));
    expect(await read("quotes")).toEqual({
      ...refused("file_too_large"),
      message:
        'The file "quotes" has 3145728 bytes, but 6291499 as a result, which is JSON (quotes and line breaks take two signs), and 4194304 are the limit. Divide it into smaller files, or read it in a tool of your own that returns only what the flow needs.',
    });
    writeFileSync(join(folder, "plain"), "x".repeat(4 * 1024 * 1024 - 100));
    expect(await read("plain")).toMatchObject({ kind: "done" });
  });
});

describe("ways out", () => {
  test.each([
    "",
    ".",
    "..",
    "../secret.txt",
    "a/../../secret.txt",
    "a/..",
    "./a",
    "a//b",
    "a/",
    "/etc/passwd",
    "//server/share",
    "..\\secret.txt",
    "C:\\a",
    "C:a",
    "a:stream",
    "a\0b",
    "a\nb",
    "a\u202Etxt",
    "a\u200Bb",
    "a\uD800",
    "CON",
    "nul.txt",
    "a.",
    "a ",
    ".git/config",
    ".env",
    "a/.hidden",
    "x".repeat(256),
    "é".repeat(128),
    `${"a/".repeat(16)}b`,
    "x/".repeat(600),
  ])("the path %j is refused, for reading and writing", async (path) => {
    expect(await read(path)).toMatchObject(refused("bad_args"));
    expect(await write(path)).toMatchObject(refused("bad_args"));
    expect(readdirSync(place).toSorted()).toEqual(["files", "secret.txt"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a link to a file is not followed, nor is it replaced", async () => {
    symlinkSync(join(place, "secret.txt"), join(folder, "a.txt"));
    expect(await read("a.txt")).toMatchObject(refused("bad_path"));
    expect(await write("a.txt", "mine")).toMatchObject(refused("bad_path"));
    expect(readFileSync(join(place, "secret.txt"), "utf8")).toBe("secret");
  });

  test("a link to nothing is no way to make a file elsewhere", async () => {
    symlinkSync(join(place, "new.txt"), join(folder, "a.txt"));
    expect(await write("a.txt")).toMatchObject(refused("bad_path"));
    expect(readdirSync(place).toSorted()).toEqual(["files", "secret.txt"]);
  });

  test("a link in place of a folder is not followed, at any level, even to a place inside", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    symlinkSync(place, join(folder, "a/b/out"));
    symlinkSync(join(folder, "a"), join(folder, "in"));
    for (const path of ["a/b/out/secret.txt", "a/b/out/files/a.txt", "in/a.txt"]) {
      expect(await read(path)).toMatchObject(refused("bad_path"));
      expect(await write(path)).toMatchObject(refused("bad_path"));
    }
    expect(readFileSync(join(place, "secret.txt"), "utf8")).toBe("secret");
  });

  test("what is no file is not opened: a folder, a socket", async () => {
    mkdirSync(join(folder, "a"));
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(join(folder, "socket"), resolve));
    for (const path of ["a", "socket"]) {
      expect(await read(path)).toMatchObject(refused("bad_path"));
      expect(await write(path)).toMatchObject(refused("bad_path"));
    }
    server.close();
    writeFileSync(join(folder, "file"), "");
    expect(await write("file/below")).toMatchObject(refused("bad_path"));
    expect(await read("nothing")).toMatchObject(refused("file_not_found"));
  });

  test("what a failure says does not show where the folder lies", async () => {
    const answers = [await read("nothing"), await read("../x"), await write("a/".repeat(3))];
    expect(JSON.stringify(answers)).not.toContain(place);
  });
});

describe("somebody who changes the folder between the look and the opening", () => {
  /** A folder in which `change` happens just before a file is opened. */
  function raced(change: () => void): Folder {
    const openFile: typeof open = async (...args) => {
      change();
      return await open(...args);
    };
    return createFolder(folder, { bytesMax: 1000, openFile });
  }

  const outside = (): readonly string[] => readdirSync(place).toSorted();

  test("and puts a link in place of the file gets nothing to read", async () => {
    writeFileSync(join(folder, "a.txt"), "inside");
    const racing = raced(() => {
      rmSync(join(folder, "a.txt"));
      symlinkSync(join(place, "secret.txt"), join(folder, "a.txt"));
    });
    await expect(racing.read("a.txt")).rejects.toMatchObject({ code: "bad_path" });
  });

  test("and puts a link in place of a folder on the way gets nothing to read", async () => {
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a/secret.txt"), "inside");
    const racing = raced(() => {
      renameSync(join(folder, "a"), join(folder, "b"));
      symlinkSync(place, join(folder, "a"));
    });
    await expect(racing.read("a/secret.txt")).rejects.toMatchObject({ code: "bad_path" });
  });

  test("and puts everything back at once gets nothing to read either", async () => {
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a/secret.txt"), "inside");
    const openFile: typeof open = async (...args) => {
      renameSync(join(folder, "a"), join(folder, "b"));
      symlinkSync(place, join(folder, "a"));
      const file = await open(...args);
      rmSync(join(folder, "a"));
      renameSync(join(folder, "b"), join(folder, "a"));
      return file;
    };
    const racing = createFolder(folder, { bytesMax: 1000, openFile });
    await expect(racing.read("a/secret.txt")).rejects.toMatchObject({ code: "bad_path" });
  });

  test("and puts a link in place of a folder on the way gets nothing written elsewhere", async () => {
    mkdirSync(join(folder, "a"));
    const racing = raced(() => {
      renameSync(join(folder, "a"), join(folder, "b"));
      symlinkSync(place, join(folder, "a"));
    });
    await expect(racing.write("a/new.txt", Buffer.from("mine"))).rejects.toMatchObject({ code: "bad_path" });
    expect(outside()).toEqual(["files", "secret.txt"]);
    expect(readdirSync(join(folder, "b"))).toEqual([]);
  });

  test("and puts a link where the file is to be gets only the link replaced", async () => {
    const racing = raced(() => symlinkSync(join(place, "secret.txt"), join(folder, "a.txt")));
    await racing.write("a.txt", Buffer.from("mine"));
    expect(readFileSync(join(place, "secret.txt"), "utf8")).toBe("secret");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });
});

test("a byte order mark stays part of the text, so that what is read and written again is the same", async () => {
  await write("bom.txt", "\ufeffhi");
  expect(await read("bom.txt")).toMatchObject({ result: { text: "\ufeffhi", bytes: 5 } });
});
