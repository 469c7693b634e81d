// Where the focus goes when what had it is gone: to the title of the run that is looked at.

import { useEffect } from "react";

export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main[data-page="run"] h1');
  if (title === null) return;
  title.tabIndex = -1;
  title.focus();
}

let isWanted = false;

/** For the page of a run that is about to be opened. */
export function wantTitle(): void {
  isWanted = true;
}

/** Once, on the page to which something has led from the page of another run. */
export function useWantedTitle(): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    // Dialogs and menus give the focus back a moment after they have closed.
    const timer = setTimeout(() => {
      isWanted = false;
      focusTitle();
    }, 0);
    return () => clearTimeout(timer);
  }, []);
}
