// What waits for a person, as lines: what is asked, then what to type. Pure.

import type { InboxLine } from "../server/inbox.ts";
import { showAnswer } from "../server/waiting.ts";
import { signStyle, signText } from "./sign.ts";
import { paint, toHarmless } from "./table.ts";
import type { Look } from "./terminal.ts";
import { showAgo } from "./time.ts";

export type InboxContext = {
  readonly now: number;
  /** What every command has behind it. */
  readonly suffix: string;
};

export function drawInbox(lines: readonly InboxLine[], { now, suffix }: InboxContext, look: Look): readonly string[] {
  return lines.flatMap(({ run, item }, index) => {
    const sign = item.kind === "gate" ? "asking" : "unknown";
    const where = `${run.name} ${run.id}${item.row === null ? "" : `, ${item.row.name}`}, ${showAgo(Math.max(0, now - item.since))}`;
    const mark = paint(signText(sign, look.isUnicode), signStyle(sign), look);
    return [
      ...(index === 0 ? [] : [""]),
      `${mark} ${paint(toHarmless(item.title, look), "bold", look)}`,
      `  ${paint(toHarmless(where, look), "gray", look)}`,
      ...messageOf(item).map((line) => `  ${toHarmless(line, look)}`),
      ...item.answers.map((answer) => `    stepwell ${toHarmless(`${showAnswer(answer)}${suffix}`, look)}`),
    ];
  });
}

function messageOf({ row }: InboxLine["item"]): readonly string[] {
  const message = row?.gate?.message ?? null;
  return message === null ? [] : message.split("\n");
}
