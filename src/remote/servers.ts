// Servers that bring tools, and what is agreed on about them, through the server behind which they are.

import type { UserEngine } from "../engine/engine.ts";
import type { JsonObject } from "../flow/json.ts";
import type { ApproveOptions, ChangedTool, LockView, ServerView, TriedServer } from "../tool/servers.ts";
import { toPath } from "./address.ts";
import { fieldIn, listIn, objectIn, take } from "./fields.ts";
import type { Wire } from "./wire.ts";

const serverNames = [
  "key",
  "status",
  "problem",
  "transport",
  "target",
  "command",
  "file",
  "isAdded",
  "era",
  "protocol",
  "latencyMs",
  "lastWords",
  "name",
  "version",
  "toolCount",
  "changedCount",
  "restarts",
  "callsUnderWay",
  "strayLines",
] as const;

const triedNames = ["ok", "problem", "target", "name", "version", "era", "tools"] as const;

export function createServers(wire: Wire, key: string | null): UserEngine["servers"] {
  const ask = async (server: string, verb: "restart" | "test"): Promise<ServerView> => {
    const path = toPath("api/servers", server, verb);
    // A server that starts takes its time.
    return toView(objectIn((await wire.send({ method: "POST", path, key, isLong: true })).body));
  };
  return {
    list: async () => listIn((await wire.read("api/servers")).body).map(toView),
    restart: (server) => ask(server, "restart"),
    test: (server) => ask(server, "test"),
    add: async (server, settings) => {
      const body = { key: server, server: settings };
      // Once: somebody may have removed it again before the second time.
      const wish = { method: "POST", path: "api/servers", body, key, isLong: true, repeat: "once" } as const;
      return toView(objectIn((await wire.send(wish)).body));
    },
    remove: async (server) => {
      // A program may take its time to end.
      const wish = {
        method: "DELETE",
        path: toPath("api/servers", server),
        key,
        isLong: true,
        repeat: "once",
      } as const;
      await wire.send(wish);
    },
    tryOut: async (server, settings) => {
      const body = { key: server, server: settings };
      const wish = { method: "POST", path: "api/servers/test", body, key, isLong: true } as const;
      return take<TriedServer>(objectIn((await wire.send(wish)).body), triedNames);
    },
  };
}

function toView(document: JsonObject): ServerView {
  return take<ServerView>(document, serverNames);
}

export function createLock(wire: Wire, key: string | null): UserEngine["lock"] {
  const read = async (): Promise<JsonObject> => objectIn((await wire.read("api/lock")).body);
  return {
    show: async () => take<LockView>(await read(), ["file", "servers"]),
    changes: async () => listIn(fieldIn(await read(), "changes")).map(toChanged),
    approve: async (name, options?: ApproveOptions) => {
      const expected = options?.expected;
      const body = { name, ...(expected === undefined ? {} : { hash: expected }) };
      const ask = { method: "POST", path: "api/lock/approve", body, key, repeat: "once" } as const;
      return listIn(fieldIn(objectIn((await wire.send(ask)).body), "approved")).map(toChanged);
    },
  };
}

function toChanged(document: JsonObject): ChangedTool {
  return take<ChangedTool>(document, ["server", "tool", "kind", "lines", "hash", "since"]);
}
