import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reconnect } from "../api/tools.ts";
import { tell, tellProblem } from "./toasts.tsx";

/** Connects to a server of tools anew, says how that went, and has its card and tools read again. */
export function useReconnect(): { readonly isBusy: boolean; readonly again: (key: string) => Promise<void> } {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const again = async (key: string): Promise<void> => {
    setBusy(true);
    try {
      await reconnect(key);
      tell(`${key} is connected anew.`);
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["servers"] });
      await client.invalidateQueries({ queryKey: ["tools"] });
    }
  };
  return { isBusy, again };
}
