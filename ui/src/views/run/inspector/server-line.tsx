// Of a step whose call found no server: which one, how it is now, and what brings it back.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRefused } from "../../../api/rights.ts";
import { serversQuery, toolsQuery } from "../../../api/tools.ts";
import { Button } from "../../../components/button.tsx";
import { StatusPill } from "../../../components/status.tsx";
import { useReconnect } from "../../../components/use-reconnect.ts";
import { sayServer, serverOfTool, showServer } from "../../../model/tool.ts";

export function ServerLine({ tool }: { readonly tool: string }) {
  const { data: servers } = useQuery(serversQuery);
  const { data: tools } = useQuery(toolsQuery);
  const { isBusy, again } = useReconnect();
  const refused = useRefused("operate");
  if (servers === undefined || tools === undefined) return null;
  const server = serverOfTool(tool, tools, servers);
  if (server === null)
    return <p className="text-table text-text2">Server not connected. It is not among those that are known now.</p>;
  const isBack = server.status === "ready";
  return (
    <div
      data-testid="server-line"
      data-status={server.status}
      className="flex flex-wrap items-center gap-2 rounded-card border border-border px-3 py-2 text-table"
    >
      <p className="flex min-w-0 basis-full flex-wrap items-center gap-x-2 gap-y-1">
        <strong className="font-medium">{isBack ? "Server was not connected" : "Server not connected"}</strong>
        <Link to="/tools" className="mono inline-flex min-h-6 items-center break-all underline">
          {server.key}
        </Link>
        <StatusPill shown={showServer(server)} />
      </p>
      <span className="min-w-0 flex-1 break-words text-text2">{sayServer(server)}</span>
      {isBack || server.status === "disabled" ? null : (
        <Button
          isSmall
          isBusy={isBusy}
          disabled={refused !== undefined}
          title={refused}
          aria-label={`Reconnect to ${server.key}`}
          onClick={() => void again(server.key)}
        >
          Reconnect
        </Button>
      )}
    </div>
  );
}
