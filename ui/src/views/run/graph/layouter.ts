// What lays graphs out is large: it is loaded beside what draws them, and not as a part of it.

type Layouter = typeof import("../../../model/layout.ts");

let loading: Promise<Layouter> | undefined;

export function loadLayouter(): Promise<Layouter> {
  loading ??= import("../../../model/layout.ts");
  return loading;
}
