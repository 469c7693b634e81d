// A command's engine: opened on the store, with the tools that come with the program and the user's own, as its owner if
// nobody has it, else as a guest; or a client of the one behind a server.

import { userInfo } from "node:os";
import type { Engine, UserEngine } from "../engine/engine.ts";
import type { Call } from "./command.ts";
import { commandOn } from "./program.ts";
import { urlOf, visitServer } from "./server-place.ts";
import { forEngine, readSettings } from "./settings.ts";
import { showStore, storeOf } from "./view.ts";

export interface Session extends AsyncDisposable {
  /** In the name of who was named with `--as`, with that user's rights. */
  readonly engine: UserEngine;
  /** As people see it and may type it: a store, or the URL of a server. */
  readonly store: string;
  /** In whose name the command acts. */
  readonly user: string;
  readonly stop: () => Promise<void>;
}

export type SessionWish = Pick<Call, "values" | "surroundings" | "out"> & {
  /** The output's own unless given: a screen that is drawn over says it in its own way. */
  readonly say?: (text: string) => void;
  /** Its address. */
  readonly store?: string;
};

export async function openSession(wish: SessionWish): Promise<Session> {
  const url = wish.store === undefined ? urlOf(wish) : undefined;
  return url === undefined ? openStoreSession(wish) : openServerSession(url, wish);
}

async function openServerSession(url: string, wish: SessionWish): Promise<Session> {
  const { client, user } = await visitServer(url, wish);
  const store = showStore(client.url);
  wish.out.mention(`server: ${store}, as ${user}`);
  const stop = (): Promise<void> => client.stop();
  return { engine: client, store, user, stop, [Symbol.asyncDispose]: stop };
}

async function openStoreSession(wish: SessionWish): Promise<Session> {
  const { values, out, say = out.say, store: address = storeOf(wish) } = wish;
  const durability = values.durability === "fast" ? "fast" : "full";
  const settings = readSettings(wish);
  const [{ openEngine }, { gatherTools }] = await Promise.all([
    import("../open-engine.ts"),
    import("./tool-modules.ts"),
  ]);
  const store = showStore(address);
  const engine = await openEngine({
    store: address,
    durability,
    role: "command",
    source: "cli",
    tools: await gatherTools(settings, say),
    ...forEngine(settings),
    onProblem: ({ message, code }) => say(`problem: ${message} (${code})`),
    ...(values.tz === undefined ? {} : { tz: values.tz }),
  });
  if (!engine.isOwner) say(`store: ${store}, as a guest: another process runs it and does the work`);
  else out.mention(`store: ${store}, as its owner`);
  if (durability === "fast") say("durability: fast; what is acknowledged may be lost in a power cut");
  const stop = (): Promise<void> => engine.stop();
  try {
    const user = values.as ?? (await findUser(engine));
    return {
      engine: values.as === undefined ? engine : engine.as(user),
      store,
      user,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Who acts, when nobody says so: the user of the system, unless the store knows users and this is none of them. Whoever
 *  has the file may do everything all the same, as the program itself. */
async function findUser(engine: Engine): Promise<string> {
  const name = systemUser();
  const principals = await engine.access.list();
  return principals.length === 0 || principals.some(({ id }) => id === `user:${name}`) ? name : "local";
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "somebody";
  }
}

/** To a command that does one thing and goes: what follows from it needs somebody who stays. */
export function nobodyWorks(store: string, run: number | string = "RUN"): string {
  return `Nobody else works on ${store} now; what follows is done by: ${commandOn(store, `watch ${run}`)}`;
}
