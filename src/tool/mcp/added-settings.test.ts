import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { isSameAdded, parseAdded } from "./added-settings.ts";
import { folderOf } from "./config.ts";
import { parseServers } from "./parse-servers.ts";

const beside = "/srv/app/stepwell.db-servers.json";
const ofServer = "/srv/state/stepwell/db.example.com-app-1f0c.servers.json";

/** Where its program runs when the file is read again, by a process that was started elsewhere. */
function folderAgain(written: JsonObject, path: string): string | undefined {
  return parseServers({ files: written }, { file: path, folder: folderOf(path) }).servers[0]?.folder;
}

describe("the folder of a server that is added", () => {
  test.each([
    ["beside a store, that of the store", beside, undefined, "/srv/app"],
    ["beside a store, one below it", beside, "tools", "/srv/app/tools"],
    ["beside a store, any that is given", beside, "/elsewhere", "/elsewhere"],
    ["of a database on a server, that in which somebody works", ofServer, undefined, process.cwd()],
    ["of a database on a server, one below that", ofServer, "tools", join(process.cwd(), "tools")],
    ["of a database on a server, any that is given", ofServer, "/elsewhere", "/elsewhere"],
  ])("is %s, now and after a restart", (_, path, folder, expected) => {
    const given = { command: "files", ...(folder === undefined ? {} : { folder }) };
    const { configured, written } = parseAdded("files", given, path);
    expect([configured.folder, folderAgain(written, path)]).toEqual([expected, expected]);
  });

  test("is written down only where it would be another one after a restart", () => {
    expect(parseAdded("files", { command: "files" }, beside).written).toEqual({ command: "files" });
    expect(parseAdded("files", { command: "files" }, ofServer).written).toEqual({
      command: "files",
      folder: process.cwd(),
    });
    expect(parseAdded("files", { command: "files" }, null).written).toEqual({ command: "files" });
  });

  test("is not what tells the same from another, where nobody has said it", () => {
    const before = { command: "files", folder: "/where/somebody/else/works" };
    expect(isSameAdded(before, parseAdded("files", { command: "files" }, ofServer))).toBe(true);
    expect(isSameAdded(before, parseAdded("files", { command: "other" }, ofServer))).toBe(false);
    expect(isSameAdded(before, parseAdded("files", { command: "files", folder: "/here" }, ofServer))).toBe(false);
    expect(isSameAdded(undefined, parseAdded("files", { command: "files" }, ofServer))).toBe(false);
  });
});
