// Keys that work everywhere but where somebody types: one key, or `g` and then one.

import { useEffect } from "react";

export type Shortcut = { readonly keys: string; readonly about: string; readonly act: () => void };

/** These go on while they are held down; anything else is done once for each stroke. */
const held: ReadonlySet<string> = new Set(["j", "k", "+", "=", "-"]);

/** How long after `g` the second key counts. */
const secondWithinMs = 1200;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
    target.closest(".cm-editor, [role=dialog], [role=menu]") !== null
  );
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const key = `${event.ctrlKey || event.metaKey ? "mod+" : ""}${event.key.toLowerCase()}`;
      const both = first !== null && event.timeStamp - first.at < secondWithinMs ? `${first.key} ${key}` : key;
      const found = shortcuts.find(({ keys }) => keys === both) ?? shortcuts.find(({ keys }) => keys === key);
      if (!event.repeat) first = key === "g" ? { key, at: event.timeStamp } : null;
      if (found === undefined) return;
      event.preventDefault();
      if (!event.repeat || held.has(key)) found.act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [shortcuts]);
}
