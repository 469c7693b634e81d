import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { approveTool } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card } from "../../components/page.tsx";
import { tell } from "../../components/toasts.tsx";
import type { ChangedTool } from "../../model/tool.ts";

/** Tools that are not what was agreed on: nothing calls them until somebody agrees. */
export function Changes({ changes }: { readonly changes: readonly ChangedTool[] }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<ChangedTool | null>(null);
  const refused = useRefused("admin");
  if (changes.length === 0) return null;
  return (
    <Card title="Tools that have changed">
      <ul>
        {changes.map((change) => (
          <li
            key={change.tool}
            className="flex flex-wrap items-start gap-3 border-b border-border px-4 py-3 last:border-0"
            data-testid="changed-tool"
          >
            <div className="min-w-0 flex-1">
              <p className="font-medium">
                <code>{change.tool}</code> · {change.kind}
              </p>
              <pre
                className="mt-1 overflow-x-auto text-text2"
                tabIndex={0}
                role="group"
                aria-label={`What has changed about ${change.tool}`}
              >
                {change.lines.join("\n")}
              </pre>
            </div>
            <Button
              disabled={refused !== undefined}
              title={refused === undefined ? undefined : "You may not agree to it: it takes the right admin."}
              onClick={() => setAsked(change)}
            >
              Agree…
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        title={`Agree to what ${asked?.tool ?? ""} has become?`}
        verb="Agree"
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        act={async () => {
          if (asked === null) return;
          await approveTool(asked.tool, asked.hash);
          tell(`${asked.tool} may be called again; steps that waited for it go on.`);
          await client.invalidateQueries();
        }}
      >
        Steps that wait for it go on with the tool as it is now.
      </Confirm>
    </Card>
  );
}
