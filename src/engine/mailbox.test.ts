import { describe, expect, test } from "vitest";
import { createEnvelope, type Envelope } from "./envelope.ts";
import { Mailbox } from "./mailbox.ts";

function letter(run: number): Envelope {
  return createEnvelope(run, { kind: "alarm", id: String(run) });
}

describe("a mailbox", () => {
  test("gives messages out in their order, however long it is never empty", () => {
    const mailbox = new Mailbox(1e9);
    const taken: (number | undefined)[] = [];
    for (let run = 0; run < 5000; run++) {
      mailbox.push(letter(run));
      if (run >= 10) taken.push(mailbox.shift()?.run);
    }
    expect(mailbox.length).toBe(10);
    while (mailbox.length > 0) taken.push(mailbox.shift()?.run);
    expect(taken).toEqual(Array.from({ length: 5000 }, (_run, at) => at));
    expect(mailbox.shift()).toBeUndefined();
  });

  test("takes back what was given out, before all that waits", () => {
    const mailbox = new Mailbox(1e9);
    for (const run of [1, 2, 3, 4]) mailbox.push(letter(run));
    const given = [mailbox.shift(), mailbox.shift()].filter((envelope) => envelope !== undefined);
    mailbox.putBack(given);
    expect(mailbox.drain().map(({ run }) => run)).toEqual([1, 2, 3, 4]);
    expect(mailbox.length).toBe(0);
  });

  test("is full when what waits weighs too much, and not before", () => {
    const mailbox = new Mailbox(600);
    for (const run of [1, 2]) mailbox.push(letter(run));
    expect(mailbox.isFull).toBe(false);
    mailbox.push(letter(3));
    expect(mailbox.isFull).toBe(true);
    const first = mailbox.shift();
    expect(mailbox.isFull).toBe(false);
    mailbox.putBack(first === undefined ? [] : [first]);
    expect(mailbox.isFull).toBe(true);
    mailbox.drain();
    expect(mailbox.isFull).toBe(false);
  });
});
