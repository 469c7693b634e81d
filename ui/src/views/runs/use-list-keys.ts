// Keys of the list: J and K go down and up wherever one is; the rest is about the row that has the focus.

import type { Virtualizer } from "@tanstack/react-virtual";
import { useMemo, type KeyboardEvent, type RefObject } from "react";
import { tell, tellProblem } from "../../components/toasts.tsx";
import type { Run } from "../../model/run.ts";
import { useShortcuts, type Shortcut } from "../../shell/shortcuts.ts";

type Keys = {
  readonly rows: readonly Run[];
  readonly active: number | null;
  readonly setActive: (run: number) => void;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onOpen: (run: number) => void;
  readonly onSelect: (run: number, isRange: boolean) => void;
  readonly onClear: () => void;
};

export function useListKeys({
  rows,
  active,
  setActive,
  virtual,
  scroller,
  onOpen,
  onSelect,
  onClear,
}: Keys): (event: KeyboardEvent) => void {
  const go = (to: number): void => {
    const at = Math.min(Math.max(to, 0), rows.length - 1);
    const run = rows[at];
    if (run === undefined) return;
    setActive(run.id);
    virtual.scrollToIndex(at);
    focusRow(scroller, run.id);
  };
  const at = rows.findIndex(({ id }) => id === active);
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "j", about: "Down", act: () => go(at + 1) },
      { keys: "k", about: "Up", act: () => go(at < 0 ? 0 : at - 1) },
      { keys: "escape", about: "Clear the selection", act: onClear },
    ],
    // `go` does the same as long as these are.
    [rows, at, onClear],
  );
  useShortcuts(shortcuts);
  return (event) => {
    const run = rows[at];
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnBox = event.target instanceof HTMLInputElement;
    const acts: { readonly [key: string]: () => void } = {
      arrowdown: () => go(at + 1),
      arrowup: () => go(at - 1),
      home: () => go(0),
      end: () => go(rows.length - 1),
      enter: () => onOpen(run.id),
      c: () => void copy(run),
      x: () => onSelect(run.id, event.shiftKey),
      ...(isOnBox
        ? { j: () => go(at + 1), k: () => go(at - 1), escape: onClear }
        : { " ": () => onSelect(run.id, event.shiftKey) }),
    };
    const act = acts[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
}

/** At once, so that the next key is about it; a row that was out of sight is there some frames after it was scrolled to. */
export function focusRow(scroller: RefObject<HTMLDivElement | null>, run: number, tries = 5): void {
  const found = scroller.current?.querySelector<HTMLElement>(`[data-run-id="${run}"]`);
  if (found !== null && found !== undefined) found.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(scroller, run, tries - 1));
}

async function copy({ uid }: Run): Promise<void> {
  try {
    await navigator.clipboard.writeText(uid);
    tell(`Copied ${uid}.`);
  } catch (error) {
    tellProblem(error);
  }
}
