import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { removeServer, toolFiguresQuery, toolsQuery } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { tell } from "../../components/toasts.tsx";
import { callersOf, sayCallers } from "../../model/tool.ts";

/** Of one that was added here: those that stand in a file go there. */
export function RemoveServer({ server }: { readonly server: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const refused = useRefused("admin");
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: figures } = useQuery(toolFiguresQuery);
  const remove = async (): Promise<void> => {
    await removeServer(server);
    tell(`${server} is removed.`);
    await Promise.all(["servers", "tools", "lock"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <>
      <Button
        look="quiet"
        isSmall
        icon={Trash2}
        disabled={refused !== undefined}
        title={refused}
        aria-label={`Remove ${server}`}
        onClick={() => setAsking(true)}
      />
      <Confirm
        title={`Remove the server ${server}?`}
        verb="Remove"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={remove}
      >
        <p>What was started ends, its tools go, and so does what was agreed on about them.</p>
        {figures === undefined ? null : <p className="mt-2">{sayCallers(callersOf(server, tools, figures))}</p>}
      </Confirm>
    </>
  );
}
