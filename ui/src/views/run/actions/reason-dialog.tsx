// Asks for the reason that something needs.

import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Textarea } from "../../../components/field.tsx";

type ReasonProps = {
  readonly title: string;
  readonly verb: string;
  readonly onClose: () => void;
  readonly act: (reason: string) => Promise<void>;
};

export function ReasonDialog({ title, verb, onClose, act }: ReasonProps) {
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    await act(reason.trim());
    setBusy(false);
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button look="primary" isBusy={isBusy} disabled={reason.trim() === ""} onClick={() => void go()}>
            {verb}
          </Button>
        </>
      }
    >
      <Field label="Reason" isRequired help="It stands in the history.">
        {(given) => (
          <Textarea {...given} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
    </Dialog>
  );
}
