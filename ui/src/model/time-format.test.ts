import { afterEach, describe, expect, test } from "vitest";
import { daysAhead, showWeekday } from "./calendar.ts";
import { createFormats, showTimesAs } from "./time-format.ts";
import { showSpan } from "./time-span.ts";
import { showAbsolute, showClock, showDay, shownZone } from "./time.ts";

const at = Date.UTC(2026, 10, 18, 1, 25, 10, 7);
const own = { zone: null, isIso: false };

afterEach(() => showTimesAs(own));

test.each([
  ["Europe/Berlin", "2026-11-18 02:25:10 +01:00", "2026-11-18 02:25", "02:25:10.007"],
  ["America/St_Johns", "2026-11-17 21:55:10 -03:30", "2026-11-17 21:55", "21:55:10.007"],
  ["UTC", "2026-11-18 01:25:10 +00:00", "2026-11-18 01:25", "01:25:10.007"],
])("in %s every time is that of its clocks, in the style of ISO 8601", (zone, absolute, day, clock) => {
  showTimesAs({ zone, isIso: true });
  expect([showAbsolute(at), showDay(at), showClock(at), shownZone()]).toEqual([absolute, day, clock, zone]);
});

test("midnight is the hour 00, not 24", () => {
  const { clock, hour } = createFormats({ zone: "UTC", isIso: false });
  expect([clock.format(0), hour.format(0)]).toEqual(["00:00:00", "00:00"]);
});

test("a zone alone leaves the style as the browser has it", () => {
  showTimesAs({ zone: "Asia/Tokyo", isIso: false });
  expect(showAbsolute(at)).toContain("10:25:10");
  expect(showSpan(at, at + 3_600_000)).toBe("18 Nov 10:25–11:25");
});

test("a zone that nobody knows is the browser's own", () => {
  showTimesAs({ zone: "Middle/Earth", isIso: false });
  expect(shownZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

describe("days that lie ahead", () => {
  test("are those of the zone: 23:30 in New York is tomorrow in Berlin", () => {
    const late = Date.UTC(2026, 10, 19, 4, 30);
    const now = Date.UTC(2026, 10, 18, 12);
    const counts = (zone: string): readonly number[] => {
      showTimesAs({ zone, isIso: true });
      return daysAhead(now, 2, [late]).map(({ count }) => count);
    };
    expect([counts("America/New_York"), counts("Europe/Berlin")]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test("are named by their date, however long they are", () => {
    showTimesAs({ zone: "Europe/Berlin", isIso: true });
    // The last Sunday of March has 23 hours there.
    const days = daysAhead(Date.UTC(2026, 2, 28, 12), 3, []);
    expect(days.map(({ key }) => key)).toEqual(["2026-03-28", "2026-03-29", "2026-03-30"]);
    expect(days.map((day) => showWeekday(day)).every((word) => /\b(28|29|30)\b/.test(word))).toBe(true);
  });
});
