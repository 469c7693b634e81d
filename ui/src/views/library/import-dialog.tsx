// A file is brought, or a text pasted: first it is said what would be done, then it is done, all of it or nothing.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Switch, Textarea } from "../../components/field.tsx";
import { tell } from "../../components/toasts.tsx";
import { bring, look, type Looked } from "./bring.ts";
import { LookedAt, Problems } from "./looked-at.tsx";

export type ImportFrom = "file" | "paste";

type ImportDialogProps = { readonly from: ImportFrom; readonly onClose: () => void };

export function ImportDialog({ from, onClose }: ImportDialogProps) {
  const [text, setText] = useState("");
  const [isEnabled, setEnabled] = useState(false);
  const looking = useMutation({
    mutationFn: (given: { text: string; file: string | null }) => look(given.text, given.file),
  });
  const done = useDone(onClose);
  const bringing = useMutation({ mutationFn: (looked: Looked) => bring(looked, isEnabled), onSuccess: done });
  const looked = looking.data ?? null;
  const take = (given: string, file: string | null): void => {
    setText(given);
    bringing.reset();
    if (given.trim() === "") looking.reset();
    else looking.mutate({ text: given, file });
  };
  return (
    <Dialog
      title={from === "file" ? "Import a file" : "Paste a workflow"}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            data-testid="import"
            isBusy={bringing.isPending || looking.isPending}
            disabled={looked === null || looked.kind === "wrong"}
            onClick={() => (looked === null ? undefined : bringing.mutate(looked))}
          >
            Import
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {from === "file" ? (
          <FileField onFile={take} />
        ) : (
          <PasteField text={text} onText={(given) => take(given, null)} />
        )}
        {looking.error === null ? null : <Problems title={looking.error.message} findings={[]} />}
        {bringing.error === null ? null : <Problems title={bringing.error.message} findings={[]} />}
        {looked === null ? null : <LookedAt looked={looked} />}
        {looked?.kind === "plan" ? (
          <div className="flex items-center gap-3">
            <Switch label="Enable it at once" isOn={isEnabled} onChange={setEnabled} />
            <span>Enable it at once. Else it is brought in disabled.</span>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}

function useDone(onClose: () => void): (name: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (name) => {
    tell(`${name} is in the library.`);
    onClose();
    await client.invalidateQueries({ queryKey: ["workflows"] });
    await navigate({ to: "/library/$name", params: { name } });
  };
}

function PasteField({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  return (
    <Field label="A flow in YAML or JSON, or an exported file">
      {(given) => (
        <Textarea
          {...given}
          rows={10}
          spellCheck={false}
          className="mono"
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}

function FileField({ onFile }: { readonly onFile: (text: string, name: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setName(file.name);
    onFile(await file.text(), file.name);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void read(event.dataTransfer.files[0]);
      }}
      className={`flex flex-col items-center gap-2 rounded-card border border-dashed px-4 py-6 text-center ${isOver ? "border-accent bg-sunken" : "border-strong"}`}
    >
      <input
        ref={input}
        type="file"
        accept=".json,.yaml,.yml,application/json"
        aria-label="File to import"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        {name === null ? "Choose a file" : "Choose another file"}
      </Button>
      <p className="text-meta text-text2">{name ?? "or drop it here: JSON or YAML, a flow or an exported file"}</p>
    </div>
  );
}
