// Where a followed run is shown: as a tree that moves, as one line for each change, as JSON lines, or not at all.
// Unless it is asked for elsewhere, everything but JSON goes to stderr: stdout is for what a program may want to read.

import type { WriteStream } from "node:tty";
import { drawChanges, drawRun, type Change } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import { LiveArea, lookOf, type Look } from "./terminal.ts";

export interface Screen extends Disposable {
  /** Something to tell the person, at any time. */
  readonly say: (text: string) => void;
  readonly show: (followed: FollowedRun, changes: readonly Change[]) => void;
  /** Time has passed. */
  readonly tick: () => void;
  /** What is shown is final; another run may follow below. */
  readonly settle: () => void;
}

export type ScreenWish = { readonly json: boolean; readonly jsonl: boolean; readonly "no-color": boolean };

export function openScreen(wish: ScreenWish, stream: WriteStream = process.stderr): Screen {
  if (wish.jsonl) return openChangeStream();
  if (wish.json) return openVoice(process.stderr);
  const look = lookOf(stream, process.env, { isPlain: wish["no-color"] });
  return look.isLive ? openTree(stream, look) : openLines(stream, look);
}

/** Talk, and nothing else. */
function openVoice(stream: WriteStream): Screen {
  const say = (text: string): void => void stream.write(`${text}\n`);
  return { say, show: nothing, tick: nothing, settle: nothing, [Symbol.dispose]: nothing };
}

function nothing(): void {}

function openChangeStream(): Screen {
  return { ...openVoice(process.stderr), show: writeChanges };
}

function writeChanges(_: FollowedRun, changes: readonly Change[]): void {
  for (const change of changes) process.stdout.write(`${JSON.stringify({ type: "change", ...change })}\n`);
}

function openLines(stream: WriteStream, look: Look): Screen {
  const voice = openVoice(stream);
  const told = new Map<number | null, string>();
  // A row may change without changing its status, a fork with each branch that comes back.
  const isNews = ({ step, status }: Change): boolean => {
    const before = told.get(step);
    told.set(step, status);
    return before !== status;
  };
  const show = (followed: FollowedRun, changes: readonly Change[]): void => {
    for (const line of drawChanges(changes.filter(isNews), followed, look)) voice.say(line);
  };
  return { ...voice, show, settle: () => told.clear() };
}

function openTree(stream: WriteStream, first: Look): Screen {
  const area = new LiveArea(stream);
  let frame = 0;
  let shown: FollowedRun | null = null;
  const draw = (): void => {
    if (shown === null) return;
    // The window may have another size by now.
    area.draw(drawRun(shown, { now: Date.now(), frame }, { ...first, columns: stream.columns }));
  };
  const settle = (): void => {
    shown = null;
    area.settle();
  };
  // However the program ends, the terminal gets its cursor back.
  process.on("exit", settle);
  return {
    say: (text) => area.say(text),
    show: (followed) => {
      shown = followed;
      draw();
    },
    tick: () => {
      frame += 1;
      draw();
    },
    settle,
    [Symbol.dispose]: () => {
      process.off("exit", settle);
      settle();
    },
  };
}
