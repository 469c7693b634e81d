// What a gate asks, the data it is about, and the answers that it takes.

import { useState } from "react";
import { answer } from "../../../api/inbox.ts";
import { partOfStep } from "../../../api/run-values.ts";
import { Button } from "../../../components/button.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { MarkdownText } from "../../../components/markdown.tsx";
import { SchemaForm } from "../../../components/schema-form.tsx";
import { Ago } from "../../../components/time.tsx";
import { decisionsOf, formFor, nothingMissing, type Decision } from "../../../model/decision.ts";
import type { Json } from "../../../model/json.ts";
import type { InboxGate, InboxItem, Outline } from "../../../model/run.ts";
import { defaultsOf } from "../../../model/schema-form.ts";
import { useAct } from "../actions/use-act.ts";
import { GateAnswers } from "./gate-answers.tsx";
import { ValuePanel } from "../value-panel.tsx";

type GateProps = { readonly item: InboxItem; readonly outline: Outline };

export function GatePanel({ item, outline }: GateProps) {
  const { gate } = item;
  if (gate === null) return null;
  return (
    <section
      aria-label="What it asks"
      id="decide"
      tabIndex={-1}
      data-testid="gate"
      className="flex flex-col gap-3 rounded-card border border-border p-3 outline-none focus:border-accent"
    >
      <h3 className="text-body font-semibold break-words">{item.title}</h3>
      {item.message === null ? null : <MarkdownText text={item.message} />}
      <GateTerms gate={gate} />
      {gate.data === null ? null : (
        <details className="min-w-0">
          <summary className="min-h-6 text-table text-text2">What is decided about</summary>
          <div className="pt-2">
            <ValuePanel
              label="What is decided about"
              value={gate.data}
              root={null}
              part={item.step === null ? null : partOfStep(outline.run.id, item.step, "previous")}
            />
          </div>
        </details>
      )}
      <GateAnswers answers={gate.answers} />
      {outline.can.answer ? (
        <GateForm item={item} gate={gate} run={outline.run.id} />
      ) : (
        <p className="text-text2">You may not answer this.</p>
      )}
    </section>
  );
}

function GateTerms({ gate }: { readonly gate: InboxGate }) {
  const terms = [
    gate.need > 1 ? `${gate.need} people have to say the same.` : null,
    gate.approvers === null || gate.approvers.length === 0 ? null : `For ${gate.approvers.join(", ")}.`,
    gate.mayAnswerOwn ? null : "Not for whoever started the run.",
  ].filter((term) => term !== null);
  if (terms.length === 0 && gate.expiresAt === null) return null;
  return (
    <p className="text-table text-text2">
      {terms.join(" ")}{" "}
      {gate.expiresAt === null ? null : (
        <>
          Expires <Ago at={gate.expiresAt} />.
        </>
      )}
    </p>
  );
}

/** The answer goes out with the second click, when it has been said what follows from it. */
function GateForm({ item, gate, run }: { readonly item: InboxItem; readonly gate: InboxGate; readonly run: number }) {
  const [comment, setComment] = useState("");
  const [data, setData] = useState<Json>(() => (gate.form === null ? null : defaultsOf(gate.form, null)));
  const [isValid, setValid] = useState(true);
  const [missing, setMissing] = useState(nothingMissing);
  const [chosen, setChosen] = useState<Decision | null>(null);
  const { isBusy, act } = useAct(run);
  const send = async (decision: Decision): Promise<void> => {
    const form = formFor(decision, item, data);
    const more = {
      ...(comment.trim() === "" ? {} : { comment: comment.trim() }),
      ...(form.data === undefined ? {} : { data: form.data }),
    };
    if (!(await act(() => answer(decision.action, more), `${item.title}: ${decision.label.toLowerCase()}.`)))
      setChosen(null);
  };
  const choose = (decision: Decision): void => {
    const form = formFor(decision, item, data);
    setMissing(form.missing);
    if (form.missing.size === 0) setChosen(decision);
  };
  // No box of its own: its foot is to stay in sight along the whole question.
  return (
    <div className="contents">
      {gate.form === null ? null : (
        <SchemaForm
          schema={gate.form}
          value={data}
          problems={missing}
          onChange={(next) => {
            setData(next);
            setMissing(nothingMissing);
          }}
          onValidity={setValid}
        />
      )}
      <Field label="Comment">
        {(given) => (
          <Textarea
            {...given}
            rows={2}
            maxLength={10_000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        )}
      </Field>
      {/* However long the question is, the answer is in sight. */}
      <div className="sticky bottom-0 -mx-3 -mb-3 rounded-b-card bg-surface px-3 pt-2 pb-3">
        {chosen === null ? (
          <Choices decisions={decisionsOf(item)} isDisabled={!isValid} onChoose={choose} />
        ) : (
          <Sure decision={chosen} isBusy={isBusy} onSend={() => void send(chosen)} onBack={() => setChosen(null)} />
        )}
      </div>
    </div>
  );
}

function Choices({
  decisions,
  isDisabled,
  onChoose,
}: {
  readonly decisions: readonly Decision[];
  readonly isDisabled: boolean;
  readonly onChoose: (decision: Decision) => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {decisions.map((decision, at) => (
          <Button
            key={decision.label}
            look={decision.isDanger ? "danger" : at === 0 ? "primary" : "plain"}
            disabled={isDisabled}
            onClick={() => onChoose(decision)}
          >
            {decision.label}
          </Button>
        ))}
      </div>
      <ul className="text-meta text-text2">
        {decisions.flatMap(({ label, about }) => (about === null ? [] : [<li key={label}>{about}</li>]))}
      </ul>
    </div>
  );
}

type SureProps = {
  readonly decision: Decision;
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly onBack: () => void;
};

function Sure({ decision: { label, about, isDanger }, isBusy, onSend, onBack }: SureProps) {
  return (
    <div role="group" aria-label="Confirm" className="flex flex-col gap-2 rounded-control bg-sunken p-2">
      <p className="text-table">{about ?? `${label}: this cannot be taken back.`}</p>
      <div className="flex gap-2">
        <Button look={isDanger ? "danger" : "primary"} isBusy={isBusy} onClick={onSend} autoFocus>
          Yes, {label.toLowerCase()}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  );
}
