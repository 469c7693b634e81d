// All that can be done with a run, in one menu.

import { Ban, Ellipsis, Pause, Play } from "lucide-react";
import { pauseRun } from "../../../api/runs.ts";
import { Button } from "../../../components/button.tsx";
import { Menu, type MenuEntry } from "../../../components/menu.tsx";
import type { Outline } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { useAct } from "./use-act.ts";

/** Beside other verbs it says what it does. */
function sayRerun(entry: MenuEntry): MenuEntry {
  return entry.label.startsWith("Retry") ? entry : { ...entry, label: `Rerun: ${entry.label}` };
}

type OneMenuProps = {
  readonly outline: Outline;
  readonly again: readonly MenuEntry[];
  readonly more: readonly MenuEntry[];
  readonly onCancel: () => void;
};

/** On a phone: the header leaves room for what it is the header of. */
export function OneMenu({ outline: { run, can }, again, more, onCancel }: OneMenuProps) {
  const { act } = useAct(run.id);
  const entries = [...again.map(sayRerun), ...more];
  const verb = can.resume ? "resume" : "pause";
  const own: readonly MenuEntry[] = [
    {
      label: can.resume ? "Resume" : "Pause",
      icon: can.resume ? Play : Pause,
      act: () => void act(() => pauseRun(run.id, verb), can.resume ? "The run goes on." : "The run is paused."),
      ...(can.resume || can.pause ? {} : { refused: "You may not pause it." }),
    },
    {
      label: "Cancel…",
      icon: Ban,
      act: onCancel,
      isDanger: true,
      ...(can.cancel || can.cancelRefused !== null ? {} : { refused: "You may not cancel it." }),
    },
  ];
  return (
    <Menu
      trigger={<Button icon={Ellipsis} aria-label="Actions" />}
      entries={hasRunEnded(run.status) ? entries : [...own, ...entries]}
    />
  );
}
