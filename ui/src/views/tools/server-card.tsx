import { useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { reconnect } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { showServer, type ToolServer } from "../../model/tool.ts";
import { RemoveServer } from "./remove-server.tsx";

export function ServerCard({ server }: { readonly server: ToolServer }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const refused = useRefused("operate");
  const again = async (): Promise<void> => {
    setBusy(true);
    try {
      await reconnect(server.key);
      tell(`${server.key} is connected anew.`);
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["servers"] });
      await client.invalidateQueries({ queryKey: ["tools"] });
    }
  };
  const { key, target, era, name, version, toolCount, restarts, callsUnderWay, problem, strayLines } = server;
  const shown = showServer(server);
  return (
    <article
      className="flex h-full flex-col gap-2 rounded-card border border-border bg-surface p-4"
      data-testid="server"
      data-server={key}
      data-status={server.status}
      aria-label={key}
    >
      <header className="flex items-center gap-2">
        <h3 className="min-w-0 truncate font-medium">{key}</h3>
        <StatusPill shown={shown} />
        <div className="ms-auto flex gap-1">
          {server.status === "disabled" ? null : (
            <Button
              look="quiet"
              isSmall
              icon={RefreshCw}
              isBusy={isBusy}
              disabled={refused !== undefined}
              title={refused}
              aria-label={`Connect to ${key} anew`}
              onClick={() => void again()}
            />
          )}
          {server.isAdded ? <RemoveServer server={key} /> : null}
        </div>
      </header>
      <code className="truncate text-text2" title={target}>
        {target}
      </code>
      {problem === null ? null : <p className="text-table break-words text-danger">{problem}</p>}
      <p className="mt-auto text-meta text-text2">
        {[
          name === null ? null : `${name} ${version ?? ""}`.trim(),
          era === null ? null : `MCP ${era}`,
          `${toolCount} ${toolCount === 1 ? "tool" : "tools"}`,
          callsUnderWay === 0 ? null : `${callsUnderWay} under way`,
          restarts === 0 ? null : `${restarts} restarts`,
          strayLines === 0 ? null : `${strayLines} stray lines`,
        ]
          .filter((each) => each !== null)
          .join(" · ")}
      </p>
    </article>
  );
}
