import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { markOf, type ToolServer } from "../../model/tool.ts";

/** No event tells of tools that come and go; their servers are asked after all the time, and when one of these is not as it
 *  was, tools and what is agreed on about them are read anew. */
export function useFreshTools(servers: readonly ToolServer[] | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  const mark = servers === undefined ? null : markOf(servers);
  useEffect(() => {
    if (mark === null) return;
    if (seen.current !== null && seen.current !== mark)
      for (const key of ["tools", "lock"]) void client.invalidateQueries({ queryKey: [key] });
    seen.current = mark;
  }, [client, mark]);
}
