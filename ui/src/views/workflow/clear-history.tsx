import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { clearHistory } from "../../api/workflows.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { tell } from "../../components/toasts.tsx";

/** Removes what has ended, once it was asked. */
export function ClearHistory({ name }: { readonly name: string }) {
  const [isAsking, setAsking] = useState(false);
  const refused = useRefused("admin");
  const client = useQueryClient();
  const clear = async (): Promise<void> => {
    const count = await clearHistory(name);
    tell(
      count === 0 ? `No run of ${name} had ended.` : `${count} ended ${count === 1 ? "run is" : "runs are"} removed.`,
    );
    await Promise.all(["runs", "run", "overview"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <>
      <Button
        look="danger"
        icon={Trash2}
        disabled={refused !== undefined}
        title={refused}
        onClick={() => setAsking(true)}
      >
        Clear history
      </Button>
      <Confirm
        title={`Clear the history of ${name}?`}
        verb="Remove ended runs"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={clear}
      >
        <p>
          All runs of {name} that have ended are removed for good, with their steps, values and sub-runs. Runs under
          way, scheduled ones, and those that another workflow has started stay.
        </p>
      </Confirm>
    </>
  );
}
