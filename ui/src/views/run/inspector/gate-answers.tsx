import { Ago } from "../../../components/time.tsx";
import type { StepGate } from "../../../model/run.ts";

/** What people have said so far. */
export function GateAnswers({ answers }: { readonly answers: StepGate["answers"] }) {
  if (answers.length === 0) return null;
  return (
    <ul aria-label="Answers" className="flex flex-col gap-1 text-table">
      {answers.map(({ by, at, outcome, comment }) => (
        <li key={by} className="break-words">
          <strong className="font-medium">{by}</strong> said {outcome}{" "}
          <span className="text-text2">
            <Ago at={at} />
          </span>
          {comment === null ? null : <q className="block text-text2">{comment}</q>}
        </li>
      ))}
    </ul>
  );
}
