// What is written and not saved yet, and how it is saved.

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Problem } from "../../api/request.ts";
import { saveWorkflow, workflowQuery } from "../../api/workflows.ts";
import { validationQuery } from "../../api/writing.ts";
import { dropProblems, tell, tellProblem } from "../../components/toasts.tsx";
import { hasErrors } from "../../model/finding.ts";
import { entryAt, scanFlow } from "../../model/flow-text.ts";
import { withEndsOf, withOneEnd } from "../../model/line-ends.ts";
import { textOf, type WholeWorkflow } from "../../model/workflow.ts";

export type Begun = {
  /** null: it is new, and called what it calls itself. */
  readonly name: string | null;
  readonly text: string;
  readonly saved: Known;
};

/** What is saved, as far as is known here; null: nobody has saved it. */
type Known = { readonly version: number; readonly updatedAt: number } | null;

export type Refused = { readonly text: string };

export type Draft = {
  readonly name: string;
  readonly text: string;
  readonly version: number;
  readonly note: string;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** What somebody else has saved meanwhile. */
  readonly theirs: WholeWorkflow | null;
  /** The text that could not be saved because of its errors, anew each time that is tried. */
  readonly refused: Refused | null;
  readonly setText: (text: string) => void;
  readonly setName: (name: string) => void;
  readonly setNote: (note: string) => void;
  /** The name under which it is saved now; null: it is not, and why is shown. */
  readonly save: (over?: WholeWorkflow) => Promise<string | null>;
  readonly take: (theirs: WholeWorkflow, text: string) => void;
  readonly forget: () => void;
  /** Asked when somebody leaves: nothing that was just saved is held back. */
  readonly isUnsaved: () => boolean;
};

export function useDraft(begun: Begun): Draft {
  const first = withOneEnd(begun.text);
  const [text, setText] = useState(first);
  const [saved, setSaved] = useState({ text: first, known: begun.saved });
  const [typedName, setName] = useState<string | null>(null);
  const [note, setShownNote] = useState("");
  const [theirs, setTheirs] = useState<WholeWorkflow | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  // As it stands at this moment, drawn or not: what a form has just written is saved as well.
  const kept = useRef({ text: first, note: "", saved: first, known: begun.saved });
  const nameIn = (now: string): string =>
    begun.name ?? typedName ?? entryAt(scanFlow(now).entries, ["name"])?.value ?? "";
  const send = useSending();
  const { isBusy: isSaving, alone } = useAlone(() => kept.current.text);
  const change = (next: string): void => {
    kept.current.text = next;
    setText(next);
  };
  const setNote = (next: string): void => {
    kept.current.note = next;
    setShownNote(next);
  };
  const keep = (next: string, known: Known): void => {
    kept.current.saved = next;
    kept.current.known = known;
    setSaved({ text: next, known });
    setTheirs(null);
  };
  const save = (over?: WholeWorkflow): Promise<string | null> =>
    alone(async () => {
      const { text: now, note: said, saved: base, known } = kept.current;
      const name = nameIn(now);
      const done = await send({ name, text: withEndsOf(begun.text, now), note: said, base, known: over ?? known });
      if (done.kind === "blocked") setRefused({ text: now });
      if (done.kind === "conflict") setTheirs(done.theirs);
      if (done.kind !== "saved") return null;
      keep(now, done.known);
      if (kept.current.note === said) setNote("");
      await done.settle(begun.name === null);
      return name;
    });
  return {
    name: nameIn(text),
    text,
    version: saved.known?.version ?? 0,
    note,
    isDirty: text !== saved.text,
    isSaving,
    theirs,
    refused,
    setText: change,
    setName,
    setNote,
    save,
    take: (other, otherText) => {
      change(otherText);
      keep(otherText, other);
    },
    forget: () => setTheirs(null),
    isUnsaved: () => kept.current.text !== kept.current.saved,
  };
}

type Alone = {
  readonly isBusy: boolean;
  /** null: it was not done, because of what was told. */
  readonly alone: (work: () => Promise<string | null>) => Promise<string | null>;
};

/** One after the other. What is wanted while another is under way has its turn behind it, unless that has taken all that
 *  stands there. */
function useAlone(textNow: () => string): Alone {
  const underWay = useRef<{ readonly text: string; readonly ended: Promise<string | null> } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const alone: Alone["alone"] = async (work) => {
    while (underWay.current !== null) {
      const { text, ended } = underWay.current;
      const done = await ended;
      if (text === textNow()) return done;
    }
    underWay.current = { text: textNow(), ended: tellingProblems(work) };
    setBusy(true);
    const done = await underWay.current.ended;
    underWay.current = null;
    setBusy(false);
    return done;
  };
  return { isBusy, alone };
}

async function tellingProblems(work: () => Promise<string | null>): Promise<string | null> {
  // What was wrong the last time is either mended or told again.
  dropProblems();
  try {
    return await work();
  } catch (error) {
    tellProblem(error);
    return null;
  }
}

type Wish = {
  readonly name: string;
  readonly text: string;
  readonly note: string;
  /** What this was written on top of. */
  readonly base: string;
  readonly known: Known;
};
type Sent =
  | { readonly kind: "blocked" }
  | { readonly kind: "conflict"; readonly theirs: WholeWorkflow }
  | { readonly kind: "saved"; readonly known: Known; readonly settle: (isNew: boolean) => Promise<void> };

function useSending(): (wish: Wish) => Promise<Sent> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const settle = async (name: string, isNew: boolean): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["workflow", name] }),
      client.invalidateQueries({ queryKey: ["workflows"] }),
    ]);
    if (isNew) await navigate({ to: "/library/$name/edit", params: { name }, replace: true });
  };
  const send = async (wish: Wish): Promise<Sent> => {
    const { name, base } = wish;
    try {
      const known = await store(wish);
      return { kind: "saved", known, settle: (isNew) => settle(name, isNew) };
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409) throw error;
      const theirs = await client.fetchQuery({ ...workflowQuery(name), staleTime: 0 });
      // Only its switch was turned: nothing that was written is lost.
      const isSame =
        wish.known !== null && withOneEnd(textOf(theirs)) === base && wish.known.updatedAt !== theirs.updatedAt;
      return isSame ? send({ ...wish, known: theirs }) : { kind: "conflict", theirs };
    }
  };
  return async (wish) => {
    if (wish.name.trim() === "") throw new Error("It has no name yet. Write name: and what it is called.");
    const { findings } = await client.fetchQuery(validationQuery(wish.text));
    return hasErrors(findings) ? { kind: "blocked" } : send(wish);
  };
}

async function store({ name, text, note, known }: Wish): Promise<Known> {
  const { version, updatedAt, isNewVersion } = await saveWorkflow({
    name,
    flow: text,
    expectedVersion: known?.version ?? 0,
    ...(known === null ? {} : { expectedUpdatedAt: known.updatedAt }),
    ...(note === "" ? {} : { note }),
  });
  tell(
    isNewVersion
      ? `Saved as version ${version} of ${name}.`
      : `Saved. It does the same as before, so it is still version ${version}.`,
  );
  return { version, updatedAt };
}
