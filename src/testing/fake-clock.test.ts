import { describe, expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

describe("a clock that a test holds", () => {
  test("fires what falls due in order, also what is set on the way, and nothing early", async () => {
    const clock = createFakeClock({ now: 1000 });
    const fired: string[] = [];
    const note = (name: string) => (): void => void fired.push(`${name} at ${clock.now()}`);
    clock.after(20, note("second"));
    clock.after(10, () => {
      note("first")();
      clock.after(5, note("between"));
    });
    clock.after(20, note("third"));
    clock.after(31, note("later"));
    await clock.advance(30);
    expect(fired).toEqual(["first at 1010", "between at 1015", "second at 1020", "third at 1020"]);
    expect([clock.now(), clock.waiting]).toEqual([1030, 1]);
  });

  test("lets promises settle before time goes on", async () => {
    const clock = createFakeClock({ now: 0 });
    const seen: number[] = [];
    clock.after(10, () => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => seen.push(clock.now()));
    });
    await clock.advance(1000);
    expect(seen).toEqual([10]);
  });

  test("forgets a timer that is cancelled, and fires at once what is due already", async () => {
    const clock = createFakeClock({ now: 0 });
    let fired = 0;
    clock.after(5, () => (fired += 1)).cancel();
    clock.after(-5, () => (fired += 10));
    await clock.advance(0);
    await clock.advance(10);
    expect(fired).toBe(10);
  });

  test("can be set, forward and back, without any timer noticing", async () => {
    const clock = createFakeClock({ now: 0 });
    let firedAt = 0;
    clock.after(10, () => (firedAt = clock.now()));
    clock.jump(5000);
    await clock.advance(9);
    expect([clock.now(), firedAt]).toEqual([5009, 0]);
    clock.jump(-8000);
    await clock.advance(1);
    expect(firedAt).toBe(-2990);
  });
});

describe("a fake clock that does duties once", () => {
  test("stops at what is due, and does what comes now and then at the end", async () => {
    const clock = createFakeClock({ now: 0, duties: "once" });
    const seen: (readonly [string, number])[] = [];
    const poll = (): void => {
      seen.push(["poll", clock.now()]);
      clock.after(1000, poll, "duty");
    };
    clock.after(1000, poll, "duty");
    clock.after(5000, () => void seen.push(["due", clock.now()]));
    await clock.advance(86_400_000);
    expect(seen).toEqual([
      ["due", 5000],
      ["poll", 86_400_000],
    ]);
  });

  test("says when something is due next, apart from duties", () => {
    const clock = createFakeClock({ now: 7 });
    clock.after(10, () => {}, "duty");
    expect(clock.nextInMs).toBeNull();
    clock.after(30, () => {});
    expect(clock.nextInMs).toBe(30);
  });
});
