// What can be done to a saved workflow from its row and from its page.

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { cloneWorkflow } from "../../api/sharing.ts";
import { deleteWorkflow, enableWorkflow } from "../../api/workflows.ts";
import { tell, tellProblem } from "../../components/toasts.tsx";

export type WorkflowActs = {
  readonly enable: (name: string, isEnabled: boolean) => Promise<void>;
  readonly clone: (name: string) => Promise<void>;
  /** `leave`: away from where it was shown, before it is seen to be gone. */
  readonly remove: (name: string, leave?: () => Promise<void>) => Promise<void>;
};

export function useWorkflowActs(): WorkflowActs {
  const client = useQueryClient();
  const navigate = useNavigate();
  const readAnew = async (name: string): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["workflows"] }),
      client.invalidateQueries({ queryKey: ["workflow", name] }),
    ]);
  };
  return {
    enable: async (name, isEnabled) => {
      try {
        await enableWorkflow(name, isEnabled);
        tell(isEnabled ? `${name} can be started.` : `${name} is not started any more. Runs under way go on.`);
      } catch (error) {
        tellProblem(error);
      }
      await readAnew(name);
    },
    clone: async (name) => {
      try {
        const copy = await cloneWorkflow(name);
        tell(`${copy} is a copy of ${name}. It is disabled until you enable it.`);
        await readAnew(name);
        await navigate({ to: "/library/$name", params: { name: copy } });
      } catch (error) {
        tellProblem(error);
      }
    },
    /** Throws, so that whoever asked can stay. */
    remove: async (name, leave) => {
      await deleteWorkflow(name);
      tell(`${name} is deleted. Its runs stay.`);
      await leave?.();
      await readAnew(name);
    },
  };
}
