// The dialog that starts a run stands in the address, so that it can be linked to.

import { useNavigate } from "@tanstack/react-router";

/** Opens it for a workflow; `*`: one is chosen there. `input`: JSON to begin with. */
export function useStart(): (name: string, input?: string) => void {
  const navigate = useNavigate();
  return (name, input) =>
    void navigate({ to: ".", search: (old) => ({ ...old, start: name, ...(input === undefined ? {} : { input }) }) });
}
