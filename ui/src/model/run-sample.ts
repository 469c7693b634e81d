// A run for tests, of which each test says what matters to it.

import type { HistoryEntry, InboxItem, Outline, Run, Step } from "./run.ts";

export function sampleStep(step: Partial<Step> & Pick<Step, "id" | "key">): Step {
  return {
    name: step.key,
    role: "step",
    tool: "demo.echo",
    status: "done",
    outcome: null,
    error: null,
    warnings: [],
    attempt: 1,
    attemptsMax: null,
    visit: 1,
    item: null,
    causedBy: null,
    child: null,
    serves: null,
    isHeld: false,
    mayHaveHappened: false,
    interruptions: 0,
    transition: null,
    open: null,
    gate: null,
    alarms: [],
    nextTryAt: null,
    progress: null,
    idempotencyKey: null,
    argsBytes: 0,
    resultBytes: 0,
    createdAt: 1000,
    readyAt: 1000,
    startedAt: 1000,
    completedAt: 2000,
    ...step,
  };
}

export function sampleRun(run: Partial<Run> = {}): Run {
  return {
    id: 1,
    uid: "u-1",
    name: "digest",
    status: "running",
    terminalKind: null,
    attention: null,
    ending: null,
    flow: "hash",
    input: {},
    output: null,
    error: null,
    data: null,
    createdBy: "ann",
    createdVia: null,
    createdAt: 1000,
    updatedAt: 1000,
    scheduledAt: null,
    startedAt: 1000,
    completedAt: null,
    parent: null,
    origin: null,
    steps: null,
    doing: null,
    ...run,
  };
}

export function sampleOutline(steps: readonly Step[], outline: Partial<Outline> = {}): Outline {
  return {
    run: sampleRun(),
    version: null,
    steps,
    items: {},
    children: [],
    parent: null,
    graph: null,
    waiting: [],
    transitions: [],
    state: null,
    can: {
      cancel: true,
      cancelRefused: null,
      pause: true,
      resume: false,
      retry: false,
      rerun: false,
      fork: false,
      signal: true,
      fire: false,
      answer: true,
      operate: true,
      remove: false,
      rate: true,
    },
    ...outline,
  };
}

/** A step after which nothing says what follows. */
export function sampleHeld(step: number): InboxItem {
  return {
    kind: "no_branch_matched",
    run: 1,
    workflow: "digest",
    step,
    stepName: null,
    title: "Where does it go on?",
    message: null,
    hash: null,
    about: null,
    createdBy: null,
    since: 0,
    gate: null,
    actions: [],
    call: null,
    crossroads: null,
    change: null,
  };
}

export function sampleEntry(told: Partial<HistoryEntry> & Pick<HistoryEntry, "kind">): HistoryEntry {
  return {
    n: 1,
    at: 0,
    step: null,
    name: null,
    via: null,
    attempt: null,
    event: null,
    by: null,
    data: null,
    status: null,
    outcome: null,
    error: null,
    item: null,
    raw: null,
    ...told,
  };
}
