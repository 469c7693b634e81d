// The steps of one run as a table; in a narrow window each row is a card. Who may, lets those that wait go on.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { makeReady } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { canBeReady, showResult, showSeedStep, type SeedStep } from "../../model/seed.ts";

const head = "border-b border-border px-2 py-1 text-meta text-text2";
const cell = "px-2 py-1.5 align-top max-md:block max-md:py-0.5 md:border-b md:border-border";

type StepsProps = { readonly steps: readonly SeedStep[]; readonly mayAnswer: boolean };

export function SeedSteps({ steps, mayAnswer }: StepsProps) {
  return (
    <div
      className="min-w-0 overflow-x-auto rounded-card border border-border"
      tabIndex={0}
      role="region"
      aria-label="Steps"
    >
      <table className="w-full border-separate border-spacing-0 text-table max-md:block">
        <thead className="max-md:sr-only">
          <tr>
            <th scope="col" className={head}>
              Step
            </th>
            <th scope="col" className={head}>
              Tool
            </th>
            <th scope="col" className={head}>
              Status
            </th>
            <th scope="col" className={`${head} w-1/2`}>
              Result
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {steps.map((step) => (
            <StepLine key={step.id} step={step} mayAnswer={mayAnswer} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StepLine({ step, mayAnswer }: { readonly step: SeedStep; readonly mayAnswer: boolean }) {
  return (
    <tr
      data-testid="step-row"
      data-step={step.name}
      data-status={step.status}
      className="max-md:block max-md:border-b max-md:border-border max-md:py-1 max-md:last:border-b-0"
    >
      <th scope="row" className={`${cell} font-medium`}>
        {step.name}
        {step.outcome === null ? null : (
          <span className="ms-2 rounded-full bg-sunken px-2 text-meta font-normal whitespace-nowrap text-text2">
            {step.outcome}
          </span>
        )}
      </th>
      <td className={`${cell} mono`}>{step.tool ?? "(none)"}</td>
      <td className={cell}>
        <span className="flex flex-wrap items-center gap-2">
          <StatusPill shown={showSeedStep(step)} />
          {mayAnswer && canBeReady(step) ? <ReadyButton step={step} /> : null}
        </span>
      </td>
      <td className={cell}>
        {step.error === null ? null : <p className="break-words text-danger">{step.error.message}</p>}
        {step.result === null ? null : (
          <pre
            className="max-h-40 overflow-auto break-words whitespace-pre-wrap text-text2"
            tabIndex={0}
            role="group"
            aria-label={`Result of ${step.name}`}
          >
            {showResult(step.result)}
          </pre>
        )}
      </td>
    </tr>
  );
}

function ReadyButton({ step }: { readonly step: SeedStep }) {
  const [isBusy, setBusy] = useState(false);
  const client = useQueryClient();
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      await makeReady(step.id);
      tell(step.hasGate ? `${step.name} is approved.` : `${step.name} goes on now.`);
      await client.invalidateQueries({ queryKey: ["inbox"] });
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      isSmall
      look="primary"
      isBusy={isBusy}
      onClick={() => void act()}
      title={step.hasGate ? "Approve it" : "Do not wait any longer"}
    >
      Ready
    </Button>
  );
}
