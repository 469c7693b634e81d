import { Confirm } from "../../components/dialog.tsx";

type DeleteDialogProps = {
  readonly name: string | null;
  readonly onClose: () => void;
  readonly remove: (name: string) => Promise<void>;
};

export function DeleteDialog({ name, onClose, remove }: DeleteDialogProps) {
  return (
    <Confirm
      title={`Delete ${name ?? ""}?`}
      verb={`Delete ${name ?? ""}`}
      isOpen={name !== null}
      onClose={onClose}
      act={() => remove(name ?? "")}
    >
      <p>
        It is taken off the list and not started any more. Runs under way go on, finished ones stay, and its versions
        are kept.
      </p>
    </Confirm>
  );
}
