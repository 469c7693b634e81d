// Applies the patches of the validator to the text of a flow, until none is left that cures something.

import type { Finding } from "../flow/finding.ts";
import { patchText } from "../flow/source/patch-text.ts";
import { validate } from "../flow/validate/validate.ts";

export type Mended = { readonly text: string; readonly fixed: readonly Finding[] };

/** One patch may bring up what the next one cures. */
const roundsMax = 200;

/** One after the other, and looked at again after each: a patch may move what others name. */
export function mendFlow(text: string): Mended {
  const seen = new Set([text]);
  const fixed: Finding[] = [];
  let current = text;
  for (let round = 0; round < roundsMax; round += 1) {
    const mended = mendOnce(current, seen);
    if (mended === undefined) break;
    fixed.push(mended.finding);
    current = mended.text;
    seen.add(current);
  }
  return { text: current, fixed };
}

/** The first finding whose patch leads to a text that was not there before. */
function mendOnce(
  text: string,
  seen: ReadonlySet<string>,
): { readonly text: string; readonly finding: Finding } | undefined {
  for (const finding of validate(text).findings) {
    if (finding.patch === undefined) continue;
    const patched = patchText(text, finding.patch);
    if (patched.kind === "patched" && !seen.has(patched.text)) return { text: patched.text, finding };
  }
  return undefined;
}
