// The dialog that starts a run stands in the address, so that it can be linked to.

import { useNavigate } from "@tanstack/react-router";
import { useRefused } from "../api/rights.ts";
import { tell } from "../components/toasts.tsx";

/** Opens it, for whoever may start something, for a workflow; `*`: one is chosen there. `input`: JSON to begin with. */
export function useStart(): (name: string, input?: string) => void {
  const navigate = useNavigate();
  const refused = useRefused("start");
  return (name, input) => {
    if (refused !== undefined) tell(refused);
    else
      void navigate({ to: ".", search: (old) => ({ ...old, start: name, ...(input === undefined ? {} : { input }) }) });
  };
}
