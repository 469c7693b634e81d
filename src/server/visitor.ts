// Who is at the door: whoever brings a good token or session is that user; on a loopback address, as long as the store
// knows no users, whoever comes is the one local owner.

import { userInfo } from "node:os";
import { StepwellError } from "../error.ts";
import type { Asker } from "../access/permission.ts";
import { isName } from "../access/principal.ts";
import type { Engine, UserEngine } from "../engine/engine.ts";

export type Visitor = {
  /** In whose name everything is done. */
  readonly user: string;
  readonly how: "token" | "session" | "local";
  readonly asker: Asker;
  /** All verbs, each of which is checked. */
  readonly engine: UserEngine;
};

type Credentials = {
  /** As it stands in the header `authorization`. */
  readonly authorization: string | undefined;
  /** The text in the cookie. */
  readonly session: string | undefined;
  /** Where they come from, for the audit. */
  readonly source: string;
};

/** Asked for every request; throws when who comes is nobody. */
export type Doorkeeper = (credentials: Credentials) => Promise<Visitor>;

export type DoorkeeperOptions = {
  /** Only this machine can come here: without any users, whoever does is the owner. */
  readonly isLoopback: boolean;
};

export function createDoorkeeper(engine: Engine, { isLoopback }: DoorkeeperOptions): Doorkeeper {
  const owner: Asker = { user: findLocalOwner(), via: null, scopes: null };
  return async ({ authorization, session, source }) => {
    const letIn = (asker: Asker, how: Visitor["how"]): Visitor => {
      return { user: asker.user, how, asker, engine: engine.as(asker, { source }) };
    };
    if (authorization !== undefined) return letIn(await checkToken(engine, authorization), "token");
    const asker = session === undefined ? null : await engine.access.sessions.check(session);
    if (asker !== null) return letIn(asker, "session");
    if (isLoopback && (await engine.access.isOpen())) return letIn(owner, "local");
    throw new StepwellError("NOT_LOGGED_IN", "Nobody is known here without a token or a login.", {
      hint: "POST /api/login, or send the header: authorization: Bearer TOKEN; stepwell token create makes one.",
    });
  };
}

async function checkToken(engine: Engine, authorization: string): Promise<Asker> {
  const [, text = ""] = /^bearer +(\S+)$/iu.exec(authorization) ?? [];
  const asker = await engine.access.tokens.check(text);
  if (asker !== null) return asker;
  throw new StepwellError("NOT_LOGGED_IN", "The token is none, has expired, or was revoked.", {
    hint: "stepwell token create makes another one.",
  });
}

/** The user of the system, as the command line names who acts. */
export function findLocalOwner(): string {
  try {
    const { username } = userInfo();
    return isName(username) && username !== "local" ? username : "owner";
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "owner";
  }
}
