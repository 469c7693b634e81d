// Asks before a run is deleted with all that is known of it.

import { useNavigate } from "@tanstack/react-router";
import { removeRun } from "../../../api/runs.ts";
import { Confirm } from "../../../components/dialog.tsx";
import { useLiveDesk } from "../../../components/live.tsx";
import { tell } from "../../../components/toasts.tsx";
import type { Run } from "../../../model/run.ts";

export function RemoveDialog({ run, onClose }: { readonly run: Run; readonly onClose: () => void }) {
  const desk = useLiveDesk();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await removeRun(run.id);
    tell(`Run ${run.id} of ${run.name} is deleted.`);
    await navigate({ to: "/runs" });
    desk.forgetRuns([run.id]);
  };
  return (
    <Confirm isOpen title={`Delete run ${run.id} of ${run.name}?`} verb="Delete run" onClose={onClose} act={remove}>
      <p>
        Its steps, values and history go with it, and so do the runs that it has started. This cannot be taken back.
      </p>
    </Confirm>
  );
}
