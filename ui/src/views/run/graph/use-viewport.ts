// Which part of the graph is seen: all of it at first where that is pleasant to read, else its beginning; then what whoever looks has chosen.

import { useReactFlow, useStore } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Box } from "../../../model/arrange.ts";
import type { Layout } from "../../../model/layout.ts";
import type { Graph } from "../../../model/run.ts";
import type { NodeCondition } from "../../../model/steps.ts";
import { type Corner, fitBelow, follow, freeCorner, pathBox, reachesBeyond } from "../../../model/viewport.ts";

type Looked = {
  readonly selected: string | null;
  /** null: it is the graph of a definition. */
  readonly conditions: ReadonlyMap<string, NodeCondition> | null;
};

export function useViewport(layout: Layout, { start, notation }: Graph, { selected, conditions }: Looked) {
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
  const looked = useRef<Looked>({ selected, conditions });
  looked.current = { selected, conditions };

  const place = useCallback(
    (isSlow: boolean) => {
      if (width === 0 || height === 0) return;
      const box = soughtBox(boxes, start, looked.current);
      const seen = { width, height };
      const view = fitBelow(layout, seen, box, isWhole.current ? "least" : usualLeast(notation));
      void setViewport(view, { duration: isSlow ? slow() : 0 });
      setMapCorner(freeCorner(view, { boxes: layout.nodes, sought: box }, seen));
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
      if (box === undefined || !isPlaced.current) return;
      const before = { view: getViewport(), map: mapCorner };
      const next = follow(box, layout, before, { width, height });
      // What is on its way is left alone.
      if (next === before) return;
      void setViewport(next.view, { duration: slow() });
      setMapCorner(next.map);
    },
    [boxes, layout, mapCorner, width, height, getViewport, setViewport],
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

/** What is looked at, else the path that was taken, else where it begins. */
function soughtBox(boxes: ReadonlyMap<string, Box>, start: string, { selected, conditions }: Looked): Box | null {
  const first = boxes.get(start) ?? null;
  if (selected !== null) return boxes.get(selected) ?? first;
  if (first === null || conditions === null) return first;
  const taken = [...conditions].filter(([, { step }]) => step !== null);
  return pathBox(
    first,
    taken.flatMap(([key]) => boxes.get(key) ?? []),
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

/** Of a machine all states are wanted, small as they may be. */
function usualLeast(notation: Graph["notation"]): "legible" | "pleasant" {
  return notation === "machine" ? "legible" : "pleasant";
}

function slow(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
}
