// What nodes and links of a drawn graph look up: how things are now. It changes often; what stands where does not.

import { createContext, use } from "react";
import type { MachineTransition } from "../../../model/run.ts";
import type { NodeCondition } from "../../../model/steps.ts";

export type GraphState = {
  /** null: it is the graph of a definition, of which nothing runs. */
  readonly conditions: ReadonlyMap<string, NodeCondition> | null;
  readonly taken: ReadonlySet<string> | null;
  readonly open: ReadonlyMap<string, MachineTransition>;
  readonly selected: string | null;
  readonly hovered: string | null;
  /** The one to which Tab leads. */
  readonly tabStop: string;
  readonly onSelect: (key: string | null) => void;
  readonly onHover: (key: string | null) => void;
  readonly onFocus: (key: string) => void;
  readonly onFire: ((transition: string) => void) | null;
};

export const GraphContext = createContext<GraphState | null>(null);

export function useGraphState(): GraphState {
  const state = use(GraphContext);
  if (state === null) throw new Error("There is no graph here.");
  return state;
}
