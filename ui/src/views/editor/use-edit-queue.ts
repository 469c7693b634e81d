// What forms change in the text, one change after the other. Whoever saves waits for it.

import { useMemo, useRef } from "react";
import { tellProblem } from "../../components/toasts.tsx";

export type EditQueue = {
  readonly add: (work: () => Promise<void>) => void;
  /** When nothing is under way; false: something that was could not be done, and that was told. */
  readonly settled: () => Promise<boolean>;
};

export function useEditQueue(): EditQueue {
  const last = useRef<Promise<boolean> | null>(null);
  return useMemo(
    () => ({
      add: (work) => {
        const added = run(last.current, work).finally(() => {
          if (last.current === added) last.current = null;
        });
        last.current = added;
      },
      settled: () => last.current ?? Promise.resolve(true),
    }),
    [],
  );
}

async function run(before: Promise<boolean> | null, work: () => Promise<void>): Promise<boolean> {
  const isWell = (await before) ?? true;
  try {
    await work();
    return isWell;
  } catch (error) {
    tellProblem(error);
    return false;
  }
}

/** A field is written when one leaves it: it is left, and entered again. */
export function writeFocusedField(): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement)) return;
  activeElement.blur();
  activeElement.focus({ preventScroll: true });
}
