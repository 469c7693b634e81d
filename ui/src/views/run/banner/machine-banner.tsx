// A machine: the state in which it is, and what can be fired there.

import { Suspense, useState, type ReactNode } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { fireTransition } from "../../../api/runs.ts";
import { Button } from "../../../components/button.tsx";
import type { MachineTransition, Outline } from "../../../model/run.ts";
import { useAct } from "../actions/use-act.ts";

const ReasonDialog = lazyPart(
  () => import("../actions/reason-dialog.tsx"),
  (loaded) => loaded.ReasonDialog,
);

/** Fires at once, or asks for the reason first. */
export function useFire(run: number): {
  readonly fire: (transition: MachineTransition) => void;
  readonly isBusy: boolean;
  readonly dialog: ReactNode;
} {
  const { isBusy, act } = useAct(run);
  const [asked, setAsked] = useState<MachineTransition | null>(null);
  const send = (name: string, reason?: string): Promise<boolean> =>
    act(() => fireTransition(run, name, reason === undefined ? {} : { reason }), `Fired ${name}.`);
  const dialog =
    asked === null ? null : (
      <Suspense fallback={null}>
        <ReasonDialog
          title={`Fire ${asked.name}?`}
          verb={`Fire ${asked.name}`}
          onClose={() => setAsked(null)}
          act={async (reason) => {
            if (await send(asked.name, reason)) setAsked(null);
          }}
        />
      </Suspense>
    );
  return {
    fire: (transition) => (transition.requiresReason ? setAsked(transition) : void send(transition.name)),
    isBusy,
    dialog,
  };
}

export function MachineBanner({ outline: { run, state, transitions, can, graph } }: { readonly outline: Outline }) {
  const { fire, isBusy, dialog } = useFire(run.id);
  const nameOf = (key: string): string => graph?.nodes.find((node) => node.key === key)?.name ?? key;
  return (
    <section
      aria-label="State"
      data-testid="machine"
      className="flex flex-wrap items-center gap-2 border-b border-border bg-surface px-4 py-2 md:px-5"
    >
      <p className="me-1">
        {state === null ? (
          "It is between two states."
        ) : (
          <>
            State: <strong className="font-semibold">{state}</strong>
          </>
        )}
      </p>
      {transitions.map((each) => (
        <Button
          key={each.name}
          isSmall
          disabled={!each.isOpen || !can.fire || isBusy}
          title={
            each.isOpen
              ? can.fire
                ? `Leads to ${nameOf(each.to)}`
                : "You may not fire it."
              : each.isTimed
                ? "It fires by itself when its time has come."
                : "Its guard is not met now."
          }
          onClick={() => fire(each)}
        >
          {each.name}
          {each.requiresReason ? "…" : ""}
          <span className="font-normal text-text2">to {nameOf(each.to)}</span>
        </Button>
      ))}
      {transitions.length === 0 && state !== null ? (
        <span className="text-text2">Nothing can be fired now.</span>
      ) : null}
      {dialog}
    </section>
  );
}
