// What lays graphs out is large: it is loaded beside what draws them, and not as a part of it.

import { importAgain } from "../../../components/import-again.ts";

type Layouter = typeof import("../../../model/layout.ts");

let loading: Promise<Layouter> | undefined;

/** One that could not be loaded is asked for again. */
export function loadLayouter(): Promise<Layouter> {
  loading ??= importAgain(() => import("../../../model/layout.ts")).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
