// Who starts programs as the user of the engine must be that user. Where the store knows no users, whoever comes over a
// loopback address is the owner, and so would be every process of this machine, also those of its other users: here the
// system has to say that the one who asks is no other. The same goes for what lets people in: with a token of their own
// making they would be asked no more.

import type { IncomingMessage } from "node:http";
import { readFile } from "node:fs/promises";
import type { Context } from "hono";
import { StepwellError } from "../error.ts";
import type { Door } from "./door.ts";
import { findSocketOwner, isSameUser } from "./socket-owner.ts";

type Doing = "programs" | "credentials";

const tellDoing: Readonly<Record<Doing, { readonly does: string; readonly commands: string }>> = {
  programs: { does: "starts or ends programs", commands: "stepwell server add and remove" },
  credentials: { does: "says who is let in", commands: "stepwell token create, user save, grant and password" },
};

/** Whoever has logged in or brings a token has proved who they are; what comes without a socket, as a call of the service's
 *  own function, comes from the program itself. */
export async function checkSameUser(context: Context<Door>, doing: Doing): Promise<void> {
  if (context.get("visitor").how !== "local") return;
  const socket = findSocket(context);
  if (socket === undefined) return;
  const owner = isForwarded(context) ? undefined : await findOwner(socket);
  if (isSameUser(owner, process.geteuid?.())) return;
  const told =
    owner === undefined
      ? "it cannot be told which user of this machine asks"
      : "another user of this machine asks than the one who runs the engine";
  const { does, commands } = tellDoing[doing];
  throw new StepwellError("NOT_ALLOWED", `Nothing was done: this ${does}, and ${told}.`, {
    hint: `${commands}, typed on that machine by the user who runs the engine; or log in as a user with the permission 130001.admin`,
    details: { code: "other_user" },
  });
}

/** A proxy speaks for others, whoever runs it. */
function isForwarded(context: Context<Door>): boolean {
  return ["forwarded", "x-forwarded-for", "via"].some((name) => context.req.header(name) !== undefined);
}

async function findOwner(socket: IncomingMessage["socket"]): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort, destroyed } = socket;
  if (remoteAddress === undefined || remotePort === undefined || destroyed) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  const remote = { address: remoteAddress, port: remotePort };
  return findSocketOwner(await readTables(), { remote, local: { address: localAddress, port: localPort } });
}

/** undefined: there is none, as in programs that call the service as a function. */
function findSocket(context: Context<Door>): IncomingMessage["socket"] | undefined {
  const env = context.env as { readonly incoming?: IncomingMessage } | undefined;
  return env?.incoming?.socket;
}

/** Of Linux; elsewhere there are none. */
function readTables(): Promise<readonly string[]> {
  return Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "latin1").catch(() => "")));
}
