// Commands that change what a user or a group may do, and show it as it is then.

import type { Principal } from "../access/principal.ts";
import type { UserEngine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import { toPrincipalDocument } from "../server/document/access.ts";
import type { Call, Operand } from "./command.ts";
import { openSession } from "./session.ts";

export const userOperand: Operand = { name: "<user|group:name>" };

export function userOf({ operands, usage }: Call): string {
  const [user] = operands;
  if (user !== undefined && user !== "") return user;
  throw new StepwellError("USAGE", "Say which user, or which group as group:NAME.", { hint: usage });
}

/** One key or several, behind the user. */
export function keysOf({ operands, usage }: Call): readonly string[] {
  const keys = operands.slice(1);
  if (keys.length > 0) return keys;
  throw new StepwellError("USAGE", "Say which permission: 130001.read, tool:feed.* …", { hint: usage });
}

export async function changeUser(
  call: Call,
  act: (access: UserEngine["access"]) => Promise<Principal>,
): Promise<number> {
  await using session = await openSession(call);
  const { access } = session.engine;
  const principal = await act(access);
  call.out.tell({ document: toPrincipalDocument(principal), lines: () => [principal.id] });
  call.out.say(`${principal.id} has ${principal.keys.length === 0 ? "no key of its own" : principal.keys.join(", ")}`);
  if (principal.groups.length > 0) call.out.say(`in ${principal.groups.join(", ")}`);
  return 0;
}
