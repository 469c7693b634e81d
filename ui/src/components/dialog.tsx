// A dialog that is labelled, holds the focus and gives it back; and one that asks before something is done for good.

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { tellProblem } from "./toasts.tsx";

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Below, always in sight. */
  readonly foot?: ReactNode;
  readonly isWide?: boolean;
  /** Of a key that is pressed anywhere in it. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
};

export function Dialog({ title, isOpen, onClose, children, foot, isWide = false, onKeyDown }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirstField}
          {...(onKeyDown === undefined ? {} : { onKeyDown })}
          className={`fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-card border border-border bg-surface shadow-xl outline-none sm:top-[8vh] sm:bottom-auto sm:max-h-[84vh] sm:rounded-card ${isWide ? "sm:max-w-3xl" : "sm:max-w-lg"}`}
        >
          <header className="flex items-center gap-2 border-b border-border px-4 py-2.5">
            <Radix.Title className="min-w-0 truncate text-[15px] font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button look="quiet" icon={X} aria-label="Close" className="ms-auto" />
            </Radix.Close>
          </header>
          <div className="min-h-0 overflow-auto p-4" tabIndex={0} role="group" aria-label={title}>
            {children}
          </div>
          {foot === undefined ? null : (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-border px-4 py-3">{foot}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ConfirmProps = {
  /** Names what it is about: `Cancel run 17 of digest?` */
  readonly title: string;
  /** The word on the button that does it: `Cancel run`. */
  readonly verb: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
  readonly children?: ReactNode;
};

export function Confirm({ title, verb, isOpen, onClose, act, children }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" isBusy={isBusy} onClick={() => void go()}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

/** Whoever opens a form wants to fill it in; the button that closes it comes first in the page all the same. Where there is
 *  no field, or none yet, the dialog itself has the focus: a key meant for what was there before must not close it. */
function focusFirstField(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  event.preventDefault();
  const field = event.target.querySelector<HTMLElement>(
    "input:not([disabled]), select:not([disabled]), textarea:not([disabled])",
  );
  (field ?? event.target).focus();
}
