import { useBlocker } from "@tanstack/react-router";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";

type LeaveGuardProps = { readonly isUnsaved: () => boolean; readonly isDirty: boolean };

/** Asks before what is not saved is lost: on the way to another page, and when the tab is closed. */
export function LeaveGuard({ isUnsaved, isDirty }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    // A dialog over this page stands in the address too, and leaves nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Dialog
      title="Leave without saving?"
      isOpen={status === "blocked"}
      onClose={() => reset?.()}
      foot={
        <>
          <Button onClick={() => reset?.()}>Stay here</Button>
          <Button look="danger" onClick={() => proceed?.()}>
            Leave
          </Button>
        </>
      }
    >
      <p>What you wrote since the last save would be lost.</p>
    </Dialog>
  );
}
