// Where a followed run is shown: as a tree that moves, as one line for each change, as JSON lines, or not at all.
// Unless it is asked for elsewhere, everything but JSON goes to stderr: stdout is for what a program may want to read.

import type { Call } from "./command.ts";
import { drawChanges, drawRun, type Change } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { Output } from "./output.ts";
import { columnsOf, LiveArea, lookOf, type Look, type Terminal } from "./terminal.ts";

export interface Screen extends Disposable {
  /** Something to tell the person, at any time. */
  readonly say: (text: string) => void;
  readonly show: (followed: FollowedRun, changes: readonly Change[]) => void;
  /** Time has passed. */
  readonly tick: () => void;
  /** What is shown is final; another run may follow below. */
  readonly settle: () => void;
  /** Somebody is asked something: nothing is drawn until what it gives is called. */
  readonly rest: () => () => void;
}

type Wish = Pick<Call, "values" | "out" | "surroundings">;

export function openScreen({ values, out, surroundings }: Wish, stream: Terminal = surroundings.stderr): Screen {
  if (out.isJsonl) return openChangeStream(out);
  if (out.isJson || out.isQuiet) return openVoice(out.say);
  const look = lookOf(stream, surroundings.environment, { isPlain: values["no-color"] });
  return look.isLive ? openTree(stream, look) : openLines(stream, look);
}

/** Talk, and nothing else. */
function openVoice(say: Screen["say"]): Screen {
  return { say, show: nothing, tick: nothing, settle: nothing, rest: () => nothing, [Symbol.dispose]: nothing };
}

function nothing(): void {}

function openChangeStream(out: Output): Screen {
  const show = (_: FollowedRun, changes: readonly Change[]): void => {
    for (const change of changes)
      out.print(JSON.stringify({ type: change.progress === undefined ? "change" : "progress", ...change }));
  };
  return { ...openVoice(out.say), show };
}

function openLines(stream: Terminal, look: Look): Screen {
  const voice = openVoice((text) => void stream.write(`${text}\n`));
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

function openTree(stream: Terminal, first: Look): Screen {
  const area = new LiveArea(stream);
  let frame = 0;
  let isResting = false;
  let shown: FollowedRun | null = null;
  const draw = (): void => {
    if (shown === null || isResting) return;
    // The window may have another size by now.
    area.draw(drawRun(shown, { now: Date.now(), frame }, { ...first, columns: columnsOf(stream) }));
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
    rest: () => {
      isResting = true;
      area.settle();
      return () => {
        isResting = false;
      };
    },
    [Symbol.dispose]: () => {
      process.off("exit", settle);
      settle();
    },
  };
}
