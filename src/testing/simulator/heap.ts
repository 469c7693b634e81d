// A binary heap: the smallest first, and of equals the one that came first.

export interface Heap<T> {
  readonly size: number;
  push(at: number, value: T): void;
  /** When the first is due; undefined: there is none. */
  firstAt(): number | undefined;
  pop(): T | undefined;
}

type Entry<T> = { readonly at: number; readonly order: number; readonly value: T };

export function createHeap<T>(): Heap<T> {
  const entries: Entry<T>[] = [];
  let pushed = 0;
  return {
    get size() {
      return entries.length;
    },
    push(at, value) {
      pushed += 1;
      entries.push({ at, order: pushed, value });
      rise(entries, entries.length - 1);
    },
    firstAt: () => entries[0]?.at,
    pop() {
      const first = entries[0];
      const last = entries.pop();
      if (first === undefined || last === undefined || entries.length === 0) return first?.value;
      entries[0] = last;
      sink(entries);
      return first.value;
    },
  };
}

function isBefore<T>(one: Entry<T> | undefined, other: Entry<T> | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function rise<T>(entries: Entry<T>[], from: number): void {
  let place = from;
  while (place > 0) {
    const above = (place - 1) >> 1;
    if (!isBefore(entries[place], entries[above])) return;
    swap(entries, place, above);
    place = above;
  }
}

function sink<T>(entries: Entry<T>[]): void {
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    const least = isBefore(entries[left + 1], entries[left]) ? left + 1 : left;
    if (!isBefore(entries[least], entries[place])) return;
    swap(entries, place, least);
    place = least;
  }
}

function swap<T>(entries: Entry<T>[], one: number, other: number): void {
  const [kept, moved] = [entries[one], entries[other]];
  if (kept === undefined || moved === undefined) return;
  entries[one] = moved;
  entries[other] = kept;
}
