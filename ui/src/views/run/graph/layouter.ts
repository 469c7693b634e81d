// What lays graphs out is large: it is loaded beside what draws them, and not as a part of it.

type Layouter = typeof import("../../../model/layout.ts");

let loading: Promise<Layouter> | undefined;

export function loadLayouter(): Promise<Layouter> {
  loading ??= import("../../../model/layout.ts").catch((error: unknown) => {
    // The server was away: whoever asks next tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}
