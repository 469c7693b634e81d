// Where a followed run is shown: as a tree that moves, as one line for each change, as JSON lines, or not at all.
// Everything but JSON goes to stderr: stdout is for what a program may want to read.

import { drawChange, drawRun, type Change } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import { LiveArea, lookOf, type Look } from "./terminal.ts";

export interface Screen extends Disposable {
  /** Something to tell the person, at any time. */
  say(text: string): void;
  show(followed: FollowedRun, changes: readonly Change[]): void;
  /** Time has passed. */
  tick(): void;
  close(): void;
}

export type ScreenWish = { readonly json: boolean; readonly jsonl: boolean; readonly "no-color": boolean };

export function openScreen(wish: ScreenWish): Screen {
  if (wish.jsonl) return openChangeStream();
  if (wish.json) return openVoice();
  const look = lookOf(process.stderr, process.env, { isPlain: wish["no-color"] });
  return look.isLive ? openTree(look) : openLines(look);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function nothing(): void {}

/** Talk, and nothing else. */
function openVoice(): Screen {
  return { say, show: nothing, tick: nothing, close: nothing, [Symbol.dispose]: nothing };
}

function openChangeStream(): Screen {
  const show = (_: FollowedRun, changes: readonly Change[]): void => {
    for (const change of changes) process.stdout.write(`${JSON.stringify({ type: "change", ...change })}\n`);
  };
  return { ...openVoice(), show };
}

function openLines(look: Look): Screen {
  const show = (followed: FollowedRun, changes: readonly Change[]): void => {
    for (const change of changes) say(drawChange(change, followed, look));
  };
  return { ...openVoice(), show };
}

function openTree(first: Look): Screen {
  const area = new LiveArea(process.stderr);
  let frame = 0;
  let shown: FollowedRun | null = null;
  const draw = (): void => {
    if (shown === null) return;
    // The window may have another size by now.
    const look = { ...first, columns: process.stderr.columns };
    area.draw(drawRun(shown, { now: Date.now(), frame }, look));
  };
  // However the program ends, the terminal gets its cursor back.
  const close = (): void => {
    process.off("exit", close);
    area.close();
  };
  process.on("exit", close);
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
    close,
    [Symbol.dispose]: close,
  };
}
