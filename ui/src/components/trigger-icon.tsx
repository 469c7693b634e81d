// What set a run going, as a sign; its word stands beside it or is its name.

import {
  AlarmClock,
  Bot,
  CornerDownRight,
  GitFork,
  KeyRound,
  type LucideIcon,
  MousePointerClick,
  Play,
  RotateCcw,
  RotateCw,
} from "lucide-react";
import type { TriggerKind } from "../model/trigger.ts";

const icons: { readonly [kind in TriggerKind]: LucideIcon } = {
  child: CornerDownRight,
  retry: RotateCw,
  rerun: RotateCcw,
  fork: GitFork,
  schedule: AlarmClock,
  page: MousePointerClick,
  mcp: Bot,
  token: KeyRound,
  direct: Play,
};

export function TriggerIcon({ kind }: { readonly kind: TriggerKind }) {
  const Icon = icons[kind];
  return <Icon size={14} strokeWidth={1.75} aria-hidden className="shrink-0" />;
}
