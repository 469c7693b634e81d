// Keeps what people think of runs and their steps. A rating is no entry: it belongs to its run, and goes with it.

import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import { findIn, numberIn, textIn } from "./ask-fields.ts";
import type { Aside } from "./batch-draft.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import { findRated, parseFeedback, parseQuality } from "./rating.ts";
import { noSuchRun } from "./readers.ts";

export type RatingsParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** Resolves when it is on disk. */
  readonly write: (aside: Aside) => Promise<void>;
};

export class RatingsClerk implements Clerk {
  readonly #parts: RatingsParts;

  constructor(parts: RatingsParts) {
    this.#parts = parts;
  }

  /** The id of the step that was rated; null: the whole run. */
  async handle(ask: Json, asking: Asking): Promise<Json> {
    if (textIn(ask, "do") !== "rate")
      throw new StepwellError("REFUSED", "The message is none that this version knows.");
    const { clock, store, write } = this.#parts;
    const run = numberIn(ask, "run") ?? 0;
    const quality = parseQuality(findIn(ask, "quality"));
    const feedback = parseFeedback((findIn(ask, "feedback") ?? null) === null ? null : textIn(ask, "feedback"));
    if ((await store.findRun(run)) === undefined) throw noSuchRun(run);
    const step = await this.#findStep(run, findIn(ask, "step") ?? null);
    const rating = { run, step, by: asking.by, quality, feedback, at: clock.now() };
    await write({
      ratings: [rating],
      answers: asking.tell(step),
      audit: asking.audit === null ? [] : [asking.audit],
    });
    return step;
  }

  async #findStep(run: RunId, wanted: Json): Promise<RowId | null> {
    if (wanted === null) return null;
    const isGiven = typeof wanted === "number" || typeof wanted === "string";
    const found = isGiven ? findRated(await this.#parts.store.listRows(run), wanted) : undefined;
    if (found !== undefined) return found.id;
    const shown = isGiven ? String(wanted) : JSON.stringify(wanted);
    throw new StepwellError("STEP_NOT_FOUND", `Run ${run} has no step ${shown} that has called a tool.`);
  }
}
