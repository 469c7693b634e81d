import { Dialog } from "../../components/dialog.tsx";

/** `name`: the workflow; `*`: one is still to be chosen. `input`: JSON to begin with. */
export function StartDialog({
  name,
  onClose,
}: {
  readonly name: string;
  readonly input: string | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Run ${name}`} isOpen onClose={onClose}>
      <p />
    </Dialog>
  );
}
