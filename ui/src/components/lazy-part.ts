import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { importAgain } from "./import-again.ts";

/** A part of a page that is loaded when it is first drawn. Until it is there, what stands in its place stays: the server may
 *  be away just then, and a page that is otherwise whole must not break over it. */
export function lazyPart<Loaded, Props>(
  importing: () => Promise<Loaded>,
  pick: (loaded: Loaded) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: pick(await importPatiently(importing)) }));
}

const triesMax = 20;
const [firstMs, longestMs] = [250, 5000];

/** What does not come for more than a minute is not there any more. */
async function importPatiently<Loaded>(importing: () => Promise<Loaded>): Promise<Loaded> {
  for (let tried = 1; ; tried++) {
    try {
      return await importAgain(importing);
    } catch (error) {
      if (tried >= triesMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(longestMs, firstMs * 2 ** tried)));
    }
  }
}
