import { useQueryClient } from "@tanstack/react-query";
import { useRefused } from "../../api/rights.ts";
import { resetBreaker } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Countdown } from "../../components/time.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { showBreaker, type Breaker } from "../../model/tool.ts";

type BreakerLineProps = {
  readonly breaker: Breaker;
  /** Where its tool is not known by what stands around it. */
  readonly isNamed?: boolean;
};

/** That a tool rests, why and until when; and a way to have it called at once. */
export function BreakerLine({ breaker, isNamed = false }: BreakerLineProps) {
  const client = useQueryClient();
  const refused = useRefused("operate");
  const { tool, count, lastError, openUntil } = breaker;
  const reset = async (): Promise<void> => {
    try {
      await resetBreaker(tool);
      tell(`${tool} is called again.`);
      await client.invalidateQueries({ queryKey: ["breakers"] });
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2" data-testid="breaker" data-tool={tool}>
      <StatusPill shown={showBreaker(breaker)} />
      <p className="min-w-0 flex-1 break-words">
        {isNamed ? <code>{tool}</code> : "It"} failed {count} times{lastError === null ? "" : `, last: ${lastError}`}.{" "}
        {openUntil === null ? null : (
          <>
            It is tried again <Countdown to={openUntil} />.
          </>
        )}
      </p>
      <Button
        isSmall
        disabled={refused !== undefined}
        title={refused}
        aria-label={isNamed ? `Reset the breaker of ${tool}` : undefined}
        onClick={() => void reset()}
      >
        {isNamed ? "Reset" : "Call it again now"}
      </Button>
    </div>
  );
}
