// What is wrong, a line each, with the way there and, where there is one, the cure.

import { Check, CircleAlert, TriangleAlert } from "lucide-react";
import type { Ref } from "react";
import { Button } from "../../components/button.tsx";
import { cureOf, sayFinding, sumUp, type Finding } from "../../model/finding.ts";
import type { Validated } from "./use-validation.ts";

type ProblemListProps = {
  readonly validated: Validated;
  /** This text was to be saved, and was not. */
  readonly isRefused: boolean;
  readonly ref: Ref<HTMLUListElement>;
  readonly onGo: (finding: Finding) => void;
  readonly onFix: (finding: Finding) => void;
};

export function ProblemList({ validated, isRefused, ref, onGo, onFix }: ProblemListProps) {
  const { findings, isChecking, isKnown } = validated;
  return (
    <section
      aria-label="Problems"
      data-testid="problems"
      className="flex max-h-[38%] shrink-0 flex-col border-t border-border bg-surface max-lg:max-h-none"
    >
      <p role="status" className="flex min-h-8 items-center gap-1.5 px-3 text-meta text-text2">
        {isKnown && findings.length === 0 ? (
          <Check size={14} strokeWidth={1.75} aria-hidden className="text-good" />
        ) : null}
        {isKnown ? sumUp(findings, isRefused) : "Not looked at yet"}
        {isChecking ? <span className="text-text3"> · looking</span> : null}
      </p>
      {findings.length === 0 ? null : (
        <ul ref={ref} tabIndex={0} aria-label="What is wrong" className="min-h-0 overflow-auto pb-1">
          {findings.map((finding, at) => (
            <li
              key={at}
              data-testid="problem"
              data-severity={finding.isError ? "error" : "warning"}
              className="flex items-start gap-1 px-2"
            >
              <button
                type="button"
                onClick={() => onGo(finding)}
                className={`flex min-h-7 min-w-0 flex-1 items-start gap-2 rounded-control px-1 py-1 text-start text-table hover:bg-sunken ${finding.isError ? "text-danger" : "text-warn"}`}
              >
                <SignOf isError={finding.isError} />
                <span className="min-w-0 break-words">{sayFinding(finding)}</span>
              </button>
              {finding.patch === null ? null : (
                <Button isSmall onClick={() => onFix(finding)} aria-label={`${cureOf(finding)}: ${finding.message}`}>
                  {cureOf(finding)}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SignOf({ isError }: { readonly isError: boolean }) {
  const Icon = isError ? CircleAlert : TriangleAlert;
  return <Icon size={14} strokeWidth={1.75} aria-label={isError ? "Error" : "Warning"} className="mt-0.5 shrink-0" />;
}
