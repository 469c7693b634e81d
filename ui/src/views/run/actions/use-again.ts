// Starts a run again: as it was, from a step, with another input. It is a new run, and the page goes there.

import { useNavigate } from "@tanstack/react-router";
import { startAgain } from "../../../api/runs.ts";
import { tell, tellProblem } from "../../../components/toasts.tsx";
import type { Json } from "../../../model/json.ts";
import { wantTitle } from "../focus-title.ts";

export type Again = (
  verb: "retry" | "rerun" | "fork",
  wish?: { readonly from?: string | number; readonly input?: Json },
  /** Told of what went wrong, instead of everybody. */
  onError?: (error: unknown) => void,
) => Promise<boolean>;

export function useAgain(run: number): Again {
  const navigate = useNavigate();
  return async (verb, wish, onError = tellProblem) => {
    try {
      const { id, warnings } = await startAgain(run, verb, wish);
      tell(warnings.length === 0 ? `Run ${id} has begun.` : `Run ${id} has begun. ${warnings.join(" ")}`);
      wantTitle();
      await navigate({ to: "/runs/$id", params: { id: String(id) } });
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  };
}
