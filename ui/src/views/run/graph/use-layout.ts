// The layout of a graph: at once when it is small, from a worker when it is large; made anew only for another shape.

import { use, useEffect, useMemo, useRef, useState } from "react";
import type { Layout } from "../../../model/layout.ts";
import type { Graph } from "../../../model/run.ts";
import { shapeOf } from "../../../model/shape.ts";
import address from "./layout-worker.ts?worker&url";
import { loadLayouter } from "./layouter.ts";

/** From this many steps on the page would be felt to stand still. */
const manyNodes = 200;

/** null: it is being made. */
export function useLayout(graph: Graph): Layout | null {
  const shape = useMemo(() => shapeOf(graph), [graph]);
  const isLarge = graph.nodes.length > manyNodes;
  const known = useRef<{ readonly shape: string; readonly layout: Layout } | null>(null);
  const layOut = isLarge ? null : use(loadLayouter()).layOut;
  const own = useMemo(() => {
    if (layOut === null) return null;
    if (known.current?.shape !== shape) known.current = { shape, layout: layOut(graph) };
    return known.current.layout;
  }, [graph, shape, layOut]);
  const made = useWorker(graph, shape, isLarge);
  return isLarge ? made : own;
}

function useWorker(graph: Graph, shape: string, isLarge: boolean): Layout | null {
  const [made, setMade] = useState<Layout | null>(null);
  const newest = useRef(graph);
  newest.current = graph;
  // By its shape alone: the same graph read again is no reason to begin again.
  useEffect(() => {
    if (!isLarge) return undefined;
    const wanted = newest.current;
    const worker = startWorker();
    const layOutHere = (): void => void loadLayouter().then(({ layOut }) => setMade(layOut(wanted)));
    if (worker === null) {
      layOutHere();
      return undefined;
    }
    worker.addEventListener("message", ({ data }: MessageEvent<Layout>) => setMade(data));
    worker.addEventListener("error", layOutHere);
    worker.postMessage(wanted, []);
    return () => worker.terminate();
  }, [shape, isLarge]);
  return made;
}

type Policy = { readonly createScriptURL: (address: string) => unknown };
type Policies = {
  readonly createPolicy: (name: string, rules: { readonly createScriptURL: (address: string) => string }) => Policy;
};

/** null: this browser lets us have none. */
function startWorker(): Worker | null {
  try {
    return new Worker(trusted(address) as URL, { type: "module" });
  } catch {
    return null;
  }
}

// The page lets nothing be run whose address did not go through here.
function trusted(wanted: string): unknown {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  return trustedTypes?.createPolicy("stepwell", { createScriptURL: onlyOurs }).createScriptURL(wanted) ?? wanted;
}

function onlyOurs(asked: string): string {
  if (asked !== address) throw new TypeError("Only the page's own worker is started.");
  return asked;
}
