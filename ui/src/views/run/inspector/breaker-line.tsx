// Whether the tool of a step is called at all: after many failures it is not, until some time has passed or somebody says so.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRefused } from "../../../api/rights.ts";
import { breakersQuery, resetBreaker } from "../../../api/tools.ts";
import { Button } from "../../../components/button.tsx";
import { StatusPill } from "../../../components/status.tsx";
import { tell, tellProblem } from "../../../components/toasts.tsx";
import { showBreaker } from "../../../model/tool.ts";
import { Words } from "./said.tsx";

export function BreakerLine({ tool }: { readonly tool: string }) {
  const client = useQueryClient();
  const { data } = useQuery(breakersQuery);
  const refused = useRefused("operate");
  const breaker = data?.find((each) => each.tool === tool);
  if (data === undefined) return null;
  if (breaker === undefined || breaker.state === "closed")
    return <p className="text-table text-text2">Its breaker is closed: it may be called again.</p>;
  const reset = async (): Promise<void> => {
    try {
      await resetBreaker(tool);
      tell(`${tool} may be called again.`);
      await client.invalidateQueries({ queryKey: ["breakers"] });
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <div data-testid="breaker" className="flex flex-wrap items-center gap-2 text-table">
      <span className="text-text2">Breaker</span>
      <StatusPill shown={showBreaker(breaker)} />
      <span className="min-w-0 flex-1">
        {breaker.openUntil === null ? (
          "It may be called once, to see."
        ) : (
          <Words sentence={["It may be called again ", { until: breaker.openUntil }, "."]} />
        )}
      </span>
      <Button isSmall disabled={refused !== undefined} title={refused} onClick={() => void reset()}>
        Reset
      </Button>
    </div>
  );
}
