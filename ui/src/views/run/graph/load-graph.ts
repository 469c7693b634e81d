// The graph and what lays it out are large, and not needed for the text beside them: they come after it, both at once.

import { importAgain } from "../../../components/import-again.ts";
import { loadLayouter } from "./layouter.ts";

export async function loadGraph(): Promise<typeof import("./flow-graph.tsx")> {
  const [drawing] = await Promise.all([importAgain(() => import("./flow-graph.tsx")), loadLayouter()]);
  return drawing;
}
