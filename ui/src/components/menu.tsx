// A button that opens a menu. What menus are made of is loaded when somebody first wants one: most visits need none.

import { cloneElement, Suspense, useState, type KeyboardEvent } from "react";
import { lazyPart } from "./lazy-part.ts";
import type { MenuProps } from "./menu-entry.ts";

export type { MenuEntry } from "./menu-entry.ts";

const load = (): Promise<typeof import("./open-menu.tsx")> => import("./open-menu.tsx");
/** Before it is wanted. While the server is away it does not come, and is asked for again when it is. */
const loadAhead = (): void => void load().catch(() => {});
const OpenMenu = lazyPart(load, (loaded) => loaded.OpenMenu);

export function Menu({ trigger, entries }: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: loadAhead,
    onFocus: loadAhead,
    onClick: () => setWanted(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "ArrowDown") setWanted(true);
    },
  });
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={trigger} entries={entries} />
    </Suspense>
  );
}
