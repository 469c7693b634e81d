// The answers that something takes, as buttons; each is sent once somebody has seen what follows from it.

import { useState } from "react";
import { answer } from "../../api/inbox.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Textarea } from "../../components/field.tsx";
import { decisionsOf, type Decision } from "../../model/decision.ts";
import type { InboxItem } from "../../model/run.ts";
import { readJson } from "../../model/schema-form.ts";
import { useAct } from "./actions/use-act.ts";

type DecisionButtonsProps = { readonly item: InboxItem; readonly run: number; readonly isAllowed: boolean };

export function DecisionButtons({ item, run, isAllowed }: DecisionButtonsProps) {
  const [asked, setAsked] = useState<Decision | null>(null);
  const decisions = decisionsOf(item);
  if (!isAllowed) return <p className="text-meta text-text2">Somebody who may operate runs has to decide.</p>;
  return (
    <div className="flex flex-wrap gap-2">
      {decisions.map((decision) => (
        <Button
          key={`${decision.action.path} ${decision.label}`}
          isSmall
          look={decision.isDanger ? "danger" : "plain"}
          onClick={() => setAsked(decision)}
        >
          {decision.label}
        </Button>
      ))}
      {asked === null ? null : <DecideDialog item={item} decision={asked} run={run} onClose={() => setAsked(null)} />}
    </div>
  );
}

type DecideProps = {
  readonly item: InboxItem;
  readonly decision: Decision;
  readonly run: number;
  readonly onClose: () => void;
};

function DecideDialog({ item, decision, run, onClose }: DecideProps) {
  const { isBusy, act } = useAct(run);
  const [text, setText] = useState("");
  const read = text.trim() === "" ? null : readJson(text);
  const problem = read === null || read.ok ? null : read.problem;
  const go = async (): Promise<void> => {
    const more = read?.ok === true ? { result: read.value ?? null } : {};
    if (await act(() => answer(decision.action, more), `${decision.label}: noted.`)) onClose();
  };
  return (
    <Dialog
      title={`${decision.label}?`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button
            look={decision.isDanger ? "danger" : "primary"}
            isBusy={isBusy}
            disabled={problem !== null}
            onClick={() => void go()}
          >
            {decision.label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="break-words">{item.title}</p>
        {decision.about === null ? null : <p className="text-text2">{decision.about}</p>}
        {decision.takesResult ? (
          <Field label="What it answered" help="JSON; leave it empty for nothing." problem={problem}>
            {(given) => (
              <Textarea
                {...given}
                className="mono"
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
        ) : null}
      </div>
    </Dialog>
  );
}
