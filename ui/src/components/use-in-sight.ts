// Follows what of a scrolled box is in sight.

import { useCallback, useState, type RefCallback, type UIEventHandler } from "react";
import type { Sight } from "../model/in-sight.ts";

type Following = { readonly sight: Sight; readonly box: RefCallback<HTMLElement>; readonly onScroll: UIEventHandler };

export function useInSight(): Following {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 0 });
  const box = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const look = (): void => setSight({ top: element.scrollTop, height: element.clientHeight });
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const onScroll: UIEventHandler = ({ currentTarget: { scrollTop, clientHeight } }) =>
    setSight({ top: scrollTop, height: clientHeight });
  return { sight, box, onScroll };
}
