// What every request for the API passes: who is it, do they come too often, and, of a browser that is logged in, does our
// own page ask.

import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Engine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import type { Door } from "./door.ts";
import type { Place } from "./origin.ts";
import { findPeer, type Peer } from "./peer.ts";
import { createRateLimit, defaultRate, type Now, type Rate } from "./rate-limit.ts";
import { createDoorkeeper, type Visitor } from "./visitor.ts";

export type EntranceOptions = Place & {
  /** For each token, session or address; null: no limit. */
  readonly rate?: Rate | null;
  /** Addresses of proxies whose `x-forwarded-for` is believed. */
  readonly trustedProxies?: readonly string[];
  readonly now?: Now;
};

export interface Entrance {
  /** Throws when who comes is nobody, or comes too often. */
  readonly letIn: (context: Context<Door>) => Promise<Visitor>;
  /** Throws when who comes is nobody, or is nobody any more. */
  readonly identify: (context: Context<Door>) => Promise<Visitor>;
  /** For what is open to everybody. */
  readonly passBy: (context: Context<Door>) => Peer;
}

export const sessionCookie = "stepwell_session";

export function createEntrance(engine: Engine, options: EntranceOptions): Entrance {
  const { rate = defaultRate, trustedProxies = [], now = Date.now, ...place } = options;
  const doorkeeper = createDoorkeeper(engine, place);
  const limit = rate === null ? null : createRateLimit(rate, now);
  const identify = (context: Context<Door>): Promise<Visitor> => {
    const source = `rest ${findPeer(context, trustedProxies).address}`;
    return doorkeeper({ authorization: context.req.header("authorization"), session: findSession(context), source });
  };
  return {
    identify,
    letIn: async (context) => {
      const visitor = await identify(context).catch((error: unknown) => {
        // Whoever guesses tokens is somebody at an address.
        limit?.take(nameOf(findPeer(context, trustedProxies)));
        throw error;
      });
      // The owner of the machine keeps nobody waiting but themselves.
      if (visitor.how !== "local") limit?.take(`${visitor.how} ${visitor.asker.via ?? ""} ${visitor.user}`);
      if (visitor.how === "session") checkMark(context);
      return visitor;
    },
    passBy: (context) => {
      const peer = findPeer(context, trustedProxies);
      limit?.take(nameOf(peer));
      return peer;
    },
  };
}

function nameOf({ address }: Peer): string {
  return `address ${address}`;
}

function findSession(context: Context): string | undefined {
  // Most who come are programs, which have no cookies to take apart.
  return context.req.header("cookie") === undefined ? undefined : getCookie(context, sessionCookie);
}

/** A browser sends its cookie along whoever has written the page; a header like this one only our own page can add. */
export function checkMark(context: Context): void {
  if (context.req.method === "GET" || context.req.method === "HEAD" || context.req.header("x-stepwell") === "1") return;
  throw new StepwellError("NOT_ALLOWED", "Who is logged in by a cookie says so: the header x-stepwell is missing.", {
    hint: "Send the header: x-stepwell: 1",
    details: { code: "unmarked" },
  });
}
