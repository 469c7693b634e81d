// Every command there is, in the order in which help shows them. A new one is a file in commands/ and a line here; it is
// loaded when it is needed. Names of two words make a family: `workflow save`, `workflow list`.

import type { Listed } from "./command.ts";

export type Group = { readonly title: string; readonly commands: readonly Listed[] };

export const groups: readonly Group[] = [
  {
    title: "Run and look",
    commands: [
      { name: "run", about: "start a flow and follow it to its end", load: () => import("./commands/run.ts") },
      { name: "list", about: "runs, newest first", load: () => import("./commands/list.ts") },
      { name: "ps", about: "runs that have not ended", load: () => import("./commands/ps.ts") },
      { name: "show", about: "one run: summary, steps, error", load: () => import("./commands/show.ts") },
      { name: "watch", about: "follow a run; work on it if nobody does", load: () => import("./commands/watch.ts") },
      { name: "history", about: "what happened in a run, in order", load: () => import("./commands/history.ts") },
    ],
  },
  {
    title: "Decide",
    commands: [
      { name: "inbox", about: "what waits for a person, and how to answer", load: () => import("./commands/inbox.ts") },
      { name: "approve", about: "say yes at a gate", load: () => import("./commands/approve.ts") },
      { name: "reject", about: "say no", load: () => import("./commands/reject.ts") },
      { name: "answer", about: "give a gate another answer", load: () => import("./commands/answer.ts") },
      { name: "ready", about: "let a step that waits go on now", load: () => import("./commands/ready.ts") },
      { name: "resolve", about: "say what became of an uncertain step", load: () => import("./commands/resolve.ts") },
      { name: "skip", about: "let a step that is held go by", load: () => import("./commands/skip.ts") },
      { name: "choose", about: "say where a held step goes on", load: () => import("./commands/choose.ts") },
      { name: "fire", about: "fire a transition of a machine", load: () => import("./commands/fire.ts") },
      { name: "signal", about: "send a signal to a run", load: () => import("./commands/signal.ts") },
      { name: "emit", about: "tell every run that waits for an event", load: () => import("./commands/emit.ts") },
    ],
  },
  {
    title: "Stop and start again",
    commands: [
      { name: "cancel", about: "cancel runs, where their flows allow it", load: () => import("./commands/cancel.ts") },
      { name: "pause", about: "start nothing new in these runs", load: () => import("./commands/pause.ts") },
      { name: "resume", about: "let paused runs go on", load: () => import("./commands/resume.ts") },
      { name: "retry", about: "a new run of what failed", load: () => import("./commands/retry.ts") },
      { name: "rerun", about: "a new run, from the start or a step", load: () => import("./commands/rerun.ts") },
      { name: "fork", about: "the same with another input", load: () => import("./commands/fork.ts") },
    ],
  },
  {
    title: "Flows",
    commands: [
      { name: "validate", about: "say what is wrong with flows, and mend it", load: () => import("./commands/validate.ts") },
      { name: "graph", about: "draw a flow", load: () => import("./commands/graph.ts") },
      { name: "schema flow", about: "the JSON Schema of flows, for editors", load: () => import("./commands/schema-flow.ts") },
      { name: "examples", about: "check and draw the examples", load: () => import("./commands/examples.ts") },
      { name: "demo", about: "run the demo flows; what stepwell alone does", load: () => import("./commands/demo.ts") },
    ],
  },
  {
    title: "The store",
    commands: [
      { name: "doctor", about: "is everything as it should be?", load: () => import("./commands/doctor.ts") },
      { name: "backup", about: "copy the store while others use it", load: () => import("./commands/backup.ts") },
      { name: "restore", about: "put a copy in the store's place", load: () => import("./commands/restore.ts") },
      { name: "prune", about: "remove old runs that have ended", load: () => import("./commands/prune.ts") },
    ],
  },
  {
    title: "This program",
    commands: [
      { name: "completion", about: "the completion script of a shell", load: () => import("./commands/completion.ts") },
      { name: "help", about: "this, or more about a command", load: () => import("./commands/help.ts") },
      { name: "version", about: "the version", load: () => import("./commands/version.ts") },
    ],
  },
];

export const commands: ReadonlyMap<string, Listed> = new Map(
  groups.flatMap((group) => group.commands.map((listed) => [listed.name, listed])),
);
