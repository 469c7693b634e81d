// Which ended runs somebody wants to be removed.

import { StepwellError } from "../error.ts";
import type { Ended } from "./retention.ts";

/** Before an instant, of a name, or both; never all there are. */
export type PruneWish =
  | { readonly endedBefore: Date | number; readonly name?: string }
  | { readonly endedBefore?: Date | number; readonly name: string };

export function readPruneWish({ endedBefore, name }: PruneWish): Ended {
  if (endedBefore === undefined && name === undefined)
    throw new StepwellError("INPUT_INVALID", "Say which runs: endedBefore, name, or both.");
  const at = endedBefore === undefined ? null : Number(endedBefore);
  if (at !== null && !Number.isFinite(at)) throw new StepwellError("INPUT_INVALID", "endedBefore is no instant.");
  return { endedBefore: at, ...(name === undefined ? {} : { name }) };
}
