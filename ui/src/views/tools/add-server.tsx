// The dialog that adds a server: said in a form or pasted, tried out, and then written down.

import { useState } from "react";
import { isNameTaken, type GivenServer } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { emptyServer, nextPasted, readServer, type ServerDraft, type ServerWay } from "../../model/server-form.ts";
import { AddressFields, PasteFields, ProgramFields } from "./server-fields.tsx";
import { ServerRefusal, TriedResult } from "./tried-result.tsx";
import { useAdding, type Adding } from "./use-adding.ts";

const ways: readonly { readonly id: ServerWay; readonly word: string }[] = [
  { id: "program", word: "Program" },
  { id: "address", word: "Address" },
  { id: "paste", word: "Paste" },
];

type AddServerProps = {
  /** As the address of the page has it. */
  readonly way: string;
  readonly onWay: (way: string) => void;
  readonly onClose: () => void;
};

export function AddServer({ way: named, onWay, onClose }: AddServerProps) {
  const way = ways.find(({ id }) => id === named)?.id ?? "program";
  const [typed, setTyped] = useState<ServerDraft>(emptyServer);
  /** Of those that were pasted. */
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const adding = useAdding();
  const draft = { ...typed, way };
  const { settings, problems } = readServer(draft);
  const isReady =
    settings !== null &&
    draft.name !== "" &&
    problems.name === undefined &&
    !(way === "paste" && added.has(draft.chosen));
  const change = (changed: Partial<ServerDraft>): void => {
    setTyped((old) => ({ ...old, ...changed }));
    adding.forget();
  };
  const add = async (given: GivenServer): Promise<void> => {
    if (!(await adding.add(given))) return;
    const now = new Set([...added, draft.chosen]);
    const next = way === "paste" ? nextPasted(draft.pasted, now) : null;
    if (next === null) return onClose();
    setAdded(now);
    change(next);
  };
  const given = isReady ? { key: draft.name, server: settings } : null;
  const refusal = adding.refusal;
  const isTaken = isNameTaken(refusal);
  const fields = { draft, problems, onChange: change };
  return (
    <Dialog
      title="Add server"
      isOpen
      isWide
      onClose={onClose}
      foot={<Foot given={given} adding={adding} onAdd={add} />}
    >
      <div className="flex flex-col items-stretch gap-4">
        <NameField {...fields} taken={isTaken ? (refusal?.message ?? null) : null} />
        <div>
          <Choice
            label="What it is"
            choices={ways}
            chosen={way}
            onChoose={(id) => {
              adding.forget();
              onWay(id);
            }}
          />
        </div>
        {way === "program" ? <ProgramFields {...fields} /> : null}
        {way === "address" ? <AddressFields {...fields} /> : null}
        {way === "paste" ? (
          <PasteFields
            {...fields}
            added={added}
            onPaste={(pasted) => {
              setAdded(new Set());
              change({ pasted, ...nextPasted(pasted, new Set()) });
            }}
          />
        ) : null}
        {adding.tried === null ? null : <TriedResult tried={adding.tried} />}
        {refusal === null || isTaken ? null : <ServerRefusal error={refusal} />}
      </div>
    </Dialog>
  );
}

type NameProps = Parameters<typeof ProgramFields>[0] & { readonly taken: string | null };

function NameField({ draft, problems, onChange, taken }: NameProps) {
  return (
    <Field label="Name" help="Steps call its tools by it, as name.tool" problem={problems.name ?? taken} isRequired>
      {(given) => (
        <Input
          {...given}
          className="mono"
          placeholder="files"
          spellCheck={false}
          autoComplete="off"
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </Field>
  );
}

type FootProps = {
  /** null: it cannot be said yet. */
  readonly given: GivenServer | null;
  readonly adding: Adding;
  readonly onAdd: (given: GivenServer) => Promise<void>;
};

function Foot({ given, adding: { busy, tried, test }, onAdd }: FootProps) {
  const isGood = tried?.isOk === true;
  const isOff = given === null || busy !== null;
  return (
    <>
      <Button
        look={isGood ? "plain" : "primary"}
        isBusy={busy === "test"}
        disabled={isOff}
        onClick={() => given !== null && void test(given)}
      >
        {busy === "test" ? "Testing…" : "Test"}
      </Button>
      <Button
        look={isGood ? "primary" : "plain"}
        isBusy={busy === "add"}
        disabled={isOff}
        onClick={() => given !== null && void onAdd(given)}
      >
        {isGood ? "Add" : tried === null ? "Add without testing" : "Add anyway"}
      </Button>
    </>
  );
}
