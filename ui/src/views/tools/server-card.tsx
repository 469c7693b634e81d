import { RefreshCw } from "lucide-react";
import { useRefused } from "../../api/rights.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status.tsx";
import { useReconnect } from "../../components/use-reconnect.ts";
import { sayFacts, showServer, withoutFrames, type ToolServer } from "../../model/tool.ts";
import { RemoveServer } from "./remove-server.tsx";

export function ServerCard({ server }: { readonly server: ToolServer }) {
  const { isBusy, again } = useReconnect();
  const refused = useRefused("operate");
  const { key, target, command, problem, lastWords } = server;
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
              onClick={() => void again(server.key)}
            />
          )}
          {server.isAdded ? <RemoveServer server={key} /> : null}
        </div>
      </header>
      <code className="line-clamp-6 break-all text-text2" title={command ?? target} data-testid="server-command">
        {command ?? target}
      </code>
      {problem === null ? null : <p className="text-table break-words text-danger">{withoutFrames(problem)}</p>}
      <p className="mt-auto text-meta text-text2">{sayFacts(server).join(" · ")}</p>
      {lastWords === null ? null : <Logs server={key} words={lastWords} />}
    </article>
  );
}

/** The end of what it writes: why it does not do what it should often stands there alone. */
function Logs({ server, words }: { readonly server: string; readonly words: string }) {
  return (
    <details data-testid="logs">
      <summary className="min-h-6 text-meta text-text2">Logs</summary>
      <pre
        className="mt-1 max-h-48 overflow-auto rounded-control bg-sunken p-2 text-meta break-words whitespace-pre-wrap"
        tabIndex={0}
        role="group"
        aria-label={`What ${server} has written last`}
      >
        {words}
      </pre>
    </details>
  );
}
