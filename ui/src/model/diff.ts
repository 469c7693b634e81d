// What two texts have in common, line by line: the longest common sequence between what they begin and end with alike.

export type DiffLine = {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** Counted from 1; null: it does not stand there. */
  readonly before: number | null;
  readonly after: number | null;
};

/** Beyond so many pairs of lines the middle is shown as replaced as a whole. */
const pairsMax = 4_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split("\n");
  const fresh = after.split("\n");
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const kinds = [
    ...Array.from({ length: head }, () => "same" as const),
    ...compare(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...Array.from({ length: tail }, () => "same" as const),
  ];
  return number(kinds, old, fresh);
}

export function countChanges(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}

function compare(old: readonly string[], fresh: readonly string[]): readonly DiffLine["kind"][] {
  if (old.length * fresh.length > pairsMax)
    return [...old.map(() => "removed" as const), ...fresh.map(() => "added" as const)];
  const width = fresh.length + 1;
  const lengths = measure(old, fresh, width);
  const kinds: DiffLine["kind"][] = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < fresh.length) {
    if (at < old.length && to < fresh.length && old[at] === fresh[to]) {
      kinds.push("same");
      at += 1;
      to += 1;
    } else if (
      at < old.length &&
      (to === fresh.length || (lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0))
    ) {
      kinds.push("removed");
      at += 1;
    } else {
      kinds.push("added");
      to += 1;
    }
  }
  return kinds;
}

/** How long the longest common sequence is from each pair of lines on. */
function measure(old: readonly string[], fresh: readonly string[], width: number): Uint32Array {
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = fresh.length - 1; to >= 0; to--) {
      const below = lengths[(at + 1) * width + to] ?? 0;
      const beside = lengths[at * width + to + 1] ?? 0;
      lengths[at * width + to] =
        old[at] === fresh[to] ? (lengths[(at + 1) * width + to + 1] ?? 0) + 1 : Math.max(below, beside);
    }
  }
  return lengths;
}

function number(
  kinds: readonly DiffLine["kind"][],
  old: readonly string[],
  fresh: readonly string[],
): readonly DiffLine[] {
  let [before, after] = [0, 0];
  return kinds.map((kind) => {
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    const text = (kind === "added" ? fresh[after - 1] : old[before - 1]) ?? "";
    return { kind, text, before: kind === "added" ? null : before, after: kind === "removed" ? null : after };
  });
}

export type DiffPart =
  | { readonly kind: "lines"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "gap"; readonly lines: readonly DiffLine[] };

/** Long stretches that are alike become gaps, but for a few lines around each change. */
export function foldAlike(lines: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== "same") for (let place = at - around; place <= at + around; place++) near.add(place);
  const parts: { kind: DiffPart["kind"]; lines: DiffLine[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const kind = near.has(at) ? "lines" : "gap";
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts;
}
