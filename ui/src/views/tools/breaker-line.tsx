import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRefused } from "../../api/rights.ts";
import { breakersQuery, resetBreaker } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Countdown } from "../../components/time.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { showBreaker, type Breaker } from "../../model/tool.ts";

type BreakerOfProps = {
  readonly tool: string;
  /** What follows while it is open. */
  readonly note?: string;
  /** Whether it is told, too, that the tool is called as ever. */
  readonly isToldClosed?: boolean;
};

export function BreakerOf({ tool, note, isToldClosed = false }: BreakerOfProps) {
  const { data } = useQuery(breakersQuery);
  const breaker = data?.find((each) => each.tool === tool);
  if (data === undefined) return null;
  if (breaker === undefined || breaker.state === "closed")
    return isToldClosed ? (
      <p className="text-table text-text2">Its breaker is closed: it may be called again.</p>
    ) : null;
  return (
    <BreakerLine breaker={breaker} isNamed {...(note === undefined || breaker.state !== "open" ? {} : { note })} />
  );
}

type BreakerLineProps = {
  readonly breaker: Breaker;
  /** Where its tool is not known by what stands around it. */
  readonly isNamed?: boolean;
  /** What follows from it there. */
  readonly note?: string;
};

/** That a tool is not called, why and until when; and a way to have it called at once. */
export function BreakerLine({ breaker, isNamed = false, note }: BreakerLineProps) {
  const client = useQueryClient();
  const refused = useRefused("operate");
  const { tool, count, lastError, openUntil } = breaker;
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
    <div className="flex flex-wrap items-center gap-2" data-testid="breaker" data-tool={tool}>
      <span className="text-text2">Breaker</span>
      <StatusPill shown={showBreaker(breaker)} />
      <p className="min-w-0 flex-1 basis-52 break-words">
        {isNamed ? <code>{tool}</code> : "It"} failed {count} times{lastError === null ? "" : `, last: ${lastError}`}.{" "}
        {openUntil === null ? (
          "The next call finds out whether it works."
        ) : (
          <>
            It may be called again <Countdown to={openUntil} />.
          </>
        )}
        {note === undefined ? null : ` ${note}`}
      </p>
      <Button
        isSmall
        disabled={refused !== undefined}
        title={refused}
        aria-label={`Reset the breaker of ${tool}`}
        onClick={() => void reset()}
      >
        Reset
      </Button>
    </div>
  );
}
