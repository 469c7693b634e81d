// Does something to the run, says so, and has everything about it read anew.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "../../../api/request.ts";
import { tell, tellProblem } from "../../../components/toasts.tsx";

export type Act = {
  readonly isBusy: boolean;
  /** Whether it went well. */
  readonly act: (doing: () => Promise<unknown>, told: string) => Promise<boolean>;
};

export function useAct(run: number): Act {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const act = async (doing: () => Promise<unknown>, told: string): Promise<boolean> => {
    setBusy(true);
    try {
      await doing();
      tell(told);
      return true;
    } catch (error) {
      // Somebody else was first: that is no fault, and the page shows it.
      if (error instanceof Problem && error.status === 409 && typeof error.details["by"] === "string") {
        // Seldom enough to be loaded when it is so.
        const { showAlready } = await import("../../../model/inbox.ts");
        tell(showAlready(error.details, Date.now()));
      } else tellProblem(error);
      return false;
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: ["run", run] });
      void client.invalidateQueries({ queryKey: ["inbox"] });
    }
  };
  return { isBusy, act };
}
