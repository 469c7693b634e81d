// J and K in lists: from the link of one row to that of the next. Enter is the link's own.

import { useMemo } from "react";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";

/** What stands on the link, or the button, that opens what a row is about. */
export const rowLink = { "data-row-link": "" };

/** For a page with rows that have such links, wherever on it they are. */
export function useRowKeys(): void {
  useShortcuts(
    useMemo(
      (): readonly Shortcut[] => [
        { keys: "j", about: "Down", act: () => go(1) },
        { keys: "k", about: "Up", act: () => go(-1) },
      ],
      [],
    ),
  );
}

/** Whoever is nowhere in the list begins at its head. */
function go(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("main [data-row-link]")];
  const at = links.findIndex((link) => (link.closest("tr, li") ?? link).contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1);
  links[next]?.focus();
}
