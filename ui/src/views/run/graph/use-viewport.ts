// Which part of the graph is seen: all of it at first where that is pleasant to read, else its beginning; then what whoever looks has chosen.

import { useReactFlow, useStore } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Layout } from "../../../model/layout.ts";
import type { Graph } from "../../../model/run.ts";
import { centre, type Corner, fitBelow, freeCorner, isSeen, reachesBeyond } from "../../../model/viewport.ts";

export function useViewport(layout: Layout, { start, notation }: Graph, selected: string | null) {
  const { setViewport, getViewport, zoomTo } = useReactFlow();
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const isCut = useStore(({ transform: [x, y, zoom], ...seen }) => reachesBeyond(layout, { x, y, zoom }, seen));
  const [isReady, setReady] = useState(false);
  const [mapCorner, setMapCorner] = useState<Corner>("bottom-right");
  const hasMoved = useRef(false);
  const isPlaced = useRef(false);
  /** Somebody has asked for all of it. */
  const isWhole = useRef(false);
  const boxes = useMemo(() => new Map(layout.nodes.map((node) => [node.key, node])), [layout]);
  const sought = useRef<string | null>(selected);
  sought.current = selected;

  const place = useCallback(
    (isSlow: boolean) => {
      if (width === 0 || height === 0) return;
      const box = boxes.get(sought.current ?? start) ?? boxes.get(start) ?? null;
      const seen = { width, height };
      const least = isWhole.current ? "least" : notation === "machine" ? "legible" : "pleasant";
      const view = fitBelow(layout, seen, box, least);
      void setViewport(view, { duration: isSlow ? slow() : 0 });
      setMapCorner(freeCorner(view, layout.nodes, seen));
      isPlaced.current = true;
    },
    [boxes, layout, start, notation, width, height, setViewport],
  );
  // It is fitted again when the room or the graph changes, until somebody has moved it.
  useLayoutEffect(() => {
    if (isReady && !hasMoved.current) place(false);
  }, [isReady, place]);

  const show = useCallback(
    (key: string) => {
      const box = boxes.get(key);
      if (box === undefined || !isPlaced.current || isSeen(box, getViewport(), { width, height })) return;
      void setViewport(centre(box, { width, height }, getViewport().zoom), { duration: slow() });
    },
    [boxes, width, height, getViewport, setViewport],
  );
  useShowing(selected, show);
  return useMemo(
    () => ({
      width,
      /** null: all of it is seen. */
      mapCorner: isCut ? mapCorner : null,
      show,
      begin: () => setReady(true),
      fit: () => {
        hasMoved.current = false;
        isWhole.current = true;
        place(true);
      },
      zoom: (factor: number) => {
        hasMoved.current = true;
        void zoomTo(getViewport().zoom * factor, { duration: slow() });
      },
      /** Without an event it was us. */
      onMoveStart: (event: MouseEvent | TouchEvent | null) => {
        if (event !== null) hasMoved.current = true;
      },
    }),
    [width, isCut, mapCorner, show, place, zoomTo, getViewport],
  );
}

/** What was selected elsewhere comes into sight; what moves afterwards is up to whoever looks. */
function useShowing(selected: string | null, show: (key: string) => void): void {
  const newestShow = useRef(show);
  newestShow.current = show;
  useEffect(() => {
    if (selected !== null) newestShow.current(selected);
  }, [selected]);
}

function slow(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
}
