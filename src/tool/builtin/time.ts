// `time.now`: the clock of the engine, for people in their zone.

import { defineTool } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readTextOr } from "./arguments.ts";
import { closed, optional, text } from "./schema.ts";

export function createTimeTools(now: () => number): readonly Tool[] {
  return [
    defineTool({
      name: "time.now",
      description: "What time it is, for machines and for people",
      effect: "read",
      input: optional({ tz: text("An IANA zone such as Europe/Berlin; UTC unless given") }),
      output: closed(
        {
          at: { type: "integer", description: "Milliseconds since 1970" },
          iso: text("The same as ISO 8601, in UTC"),
          date: text("The day in the zone, YYYY-MM-DD"),
          time: text("The time in the zone, HH:MM:SS"),
          tz: text("The zone"),
        },
        ["at", "iso", "date", "time", "tz"],
      ),
      call: (input) => {
        const tz = readTextOr(input, "tz", "UTC");
        const at = now();
        return { at, iso: new Date(at).toISOString(), ...inZone(at, tz) };
      },
    }),
  ];
}

function inZone(at: number, tz: string): { readonly date: string; readonly time: string; readonly tz: string } {
  try {
    // Swedish writes dates and times as ISO does.
    const [date = "", time = ""] = new Date(at).toLocaleString("sv-SE", { timeZone: tz }).split(" ");
    return { date, time, tz };
  } catch {
    // A RangeError, whatever is wrong with the name.
    throw badArguments('"tz" must be an IANA time zone, such as "Europe/Berlin".');
  }
}
