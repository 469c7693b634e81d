// Lays out large graphs beside the page, which stays quick meanwhile.

import { layOut } from "../../../model/layout.ts";
import type { Graph } from "../../../model/run.ts";

addEventListener("message", ({ data }: MessageEvent<Graph>) => {
  postMessage(layOut(data), { transfer: [] });
});
