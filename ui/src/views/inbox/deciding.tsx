// The answers that something takes, what follows from each, and what can be said along with it. With a key it takes two
// strokes: the first says what will happen.

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { answer } from "../../api/inbox.ts";
import { useMay } from "../../api/rights.ts";
import { Problem } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Field, Textarea } from "../../components/field.tsx";
import { SchemaForm } from "../../components/schema-form.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { formFor, nothingMissing, type FilledForm } from "../../model/decision.ts";
import { choicesOf, isTooLate, showAlready, showTaken, type Choice } from "../../model/inbox.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { rightToSettle, sayMayNot } from "../../model/right.ts";
import type { InboxItem } from "../../model/run.ts";
import { defaultsOf, readJson } from "../../model/schema-form.ts";
import { useShortcuts, type Shortcut } from "../../shell/shortcuts.ts";
import { useSettling } from "./use-settling.ts";

export type DecidingProps = {
  readonly item: InboxItem;
  /** It came up by itself, where another one was answered: what is pressed at once was meant for that one. */
  readonly isFollowing: boolean;
  /** It does not wait any more. */
  readonly onDone: () => void;
};

/** Whoever may not answer is told so, and has nothing to fill in. */
export function Deciding(props: DecidingProps) {
  const { kind, createdBy } = props.item;
  const may = useMay(rightToSettle(kind), createdBy ?? undefined);
  if (may) return <Decide {...props} />;
  return (
    <p data-testid="may-not" className="border-t border-border pt-4 text-text2">
      {sayMayNot(rightToSettle(kind))}
    </p>
  );
}

function Decide({ item, isFollowing, onDone }: DecidingProps) {
  const choices = choicesOf(item);
  const [armed, setArmed] = useState<Choice["key"]>(null);
  const [said, setSaid] = useState<Said>(() => nothingSaid(item));
  const { isBusy, send } = useSending(item, onDone);
  const isWrong = said.isFormWrong || said.resultProblem !== null;
  const { isSettling, isMeant } = useSettling(isFollowing);
  const act = (choice: Choice): void => {
    if (!isMeant()) return;
    setArmed(null);
    const { missing, data } = formFor(choice, item, said.form);
    setSaid((before) => ({ ...before, missing }));
    if (missing.size === 0) void send(choice, moreOf(item, choice, { ...said, data }));
  };
  useArming({ choices: isBusy || isWrong || isSettling ? [] : choices, armed, setArmed, act });
  const armedChoice = choices.find(({ key }) => key !== null && key === armed);
  return (
    <section aria-label="Decide" className="flex min-w-0 flex-col gap-3 border-t border-border pt-4">
      <Saying
        item={item}
        choices={choices}
        said={said}
        onSaid={(more) => setSaid((before) => ({ ...before, ...more }))}
      />
      <ul className="flex flex-col gap-2">
        {choices.map((choice) => (
          <ChoiceLine
            key={`${choice.action.path} ${choice.label}`}
            choice={choice}
            isDisabled={isBusy || isWrong || isSettling}
            onAct={() => act(choice)}
          />
        ))}
      </ul>
      <p
        role="status"
        data-testid="armed"
        className={armedChoice === undefined ? "sr-only" : "status rounded-card px-3 py-2"}
        data-token="waiting"
      >
        {armedChoice === undefined
          ? ""
          : `${armedChoice.label}? ${armedChoice.sentence} Press ${armedChoice.key?.toUpperCase() ?? ""} again or Enter to do it, Esc to leave it.`}
      </p>
    </section>
  );
}

function ChoiceLine({
  choice,
  isDisabled,
  onAct,
}: {
  readonly choice: Choice;
  readonly isDisabled: boolean;
  readonly onAct: () => void;
}) {
  return (
    <li className="flex flex-col gap-x-3 gap-y-1 sm:flex-row sm:items-center">
      <Button
        look={choice.isDanger ? "danger" : choice.key === "a" ? "primary" : "plain"}
        disabled={isDisabled}
        onClick={onAct}
        data-testid={`decide-${choice.key ?? "other"}`}
        className="sm:min-w-32"
      >
        {choice.label}
        {choice.key === null ? null : (
          <kbd className="hidden rounded border border-current px-1 text-[10px] leading-4 opacity-80 sm:inline">
            {choice.key.toUpperCase()}
          </kbd>
        )}
      </Button>
      <span className="min-w-0 break-words text-text2">{choice.sentence}</span>
    </li>
  );
}

type Said = {
  readonly comment: string;
  readonly form: Json;
  readonly isFormWrong: boolean;
  /** What was not filled in when somebody wanted to send it. */
  readonly missing: ReadonlyMap<string, string>;
  readonly result: string;
  readonly resultProblem: string | null;
};

function nothingSaid({ gate }: InboxItem): Said {
  const form = gate === null || gate.form === null ? null : defaultsOf(gate.form, null);
  return { comment: "", form, isFormWrong: false, missing: nothingMissing, result: "", resultProblem: null };
}

/** What goes along with an answer. */
function moreOf(
  item: InboxItem,
  choice: Choice,
  { comment, result, data }: Said & Pick<FilledForm, "data">,
): JsonObject {
  if (item.gate !== null)
    return {
      ...(comment.trim() === "" ? {} : { comment: comment.trim() }),
      ...(data === undefined ? {} : { data }),
    };
  const read = choice.takesResult && result.trim() !== "" ? readJson(result) : null;
  return read?.ok === true ? { result: read.value ?? null } : {};
}

type SayingProps = {
  readonly item: InboxItem;
  readonly choices: readonly Choice[];
  readonly said: Said;
  /** Several may come at once: each tells only what has changed. */
  readonly onSaid: (more: Partial<Said>) => void;
};

function Saying({ item, choices, said, onSaid }: SayingProps) {
  const writeResult = (result: string): void => {
    const read = result.trim() === "" ? null : readJson(result);
    onSaid({ result, resultProblem: read === null || read.ok ? null : read.problem });
  };
  return (
    <>
      {item.gate === null || item.gate.form === null ? null : (
        <SchemaForm
          schema={item.gate.form}
          value={said.form}
          problems={said.missing}
          onChange={(form) => onSaid({ form, missing: nothingMissing })}
          onValidity={(isValid) => onSaid({ isFormWrong: !isValid })}
        />
      )}
      {item.gate === null ? null : (
        <Field label="Comment">
          {(given) => (
            <Textarea
              {...given}
              rows={2}
              maxLength={10_000}
              value={said.comment}
              onChange={({ target }) => onSaid({ comment: target.value })}
            />
          )}
        </Field>
      )}
      {choices.some((loaded) => loaded.takesResult) ? (
        <Field
          label="What it answered, if it happened"
          help="JSON; leave it empty for nothing."
          problem={said.resultProblem}
        >
          {(given) => (
            <Textarea
              {...given}
              rows={2}
              spellCheck={false}
              className="mono"
              value={said.result}
              onChange={({ target }) => writeResult(target.value)}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}

function useSending(item: InboxItem, onDone: () => void) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const send = async (choice: Choice, more: JsonObject): Promise<void> => {
    setBusy(true);
    try {
      await answer(choice.action, more);
      tell(showTaken(item, choice));
      onDone();
    } catch (error) {
      if (!(error instanceof Problem) || !isTooLate(error.details)) return tellProblem(error);
      // What stands in its place once the list is read says the same: nothing else comes up under the pointer.
      tell(showAlready(error.details, Date.now()));
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ["inbox"] });
      if (item.run !== null) await client.invalidateQueries({ queryKey: ["run", item.run] });
    }
  };
  return { isBusy, send };
}

type Arming = {
  readonly choices: readonly Choice[];
  readonly armed: Choice["key"];
  readonly setArmed: (key: Choice["key"]) => void;
  readonly act: (choice: Choice) => void;
};

function useArming({ choices, armed, setArmed, act }: Arming): void {
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const armedChoice = choices.find(({ key }) => key !== null && key === armed);
    const letters = choices.flatMap((choice) =>
      choice.key === null
        ? []
        : [
            {
              keys: choice.key,
              about: choice.label,
              act: () => (choice.key === armed ? act(choice) : setArmed(choice.key)),
            },
          ],
    );
    if (armedChoice === undefined) return letters;
    return [
      ...letters,
      { keys: "enter", about: "Do it", act: () => act(armedChoice) },
      { keys: "escape", about: "Leave it", act: () => setArmed(null) },
    ];
    // The rest is made anew with these.
  }, [choices, armed]);
  useShortcuts(shortcuts);
}
