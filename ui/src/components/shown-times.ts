// Every time on the page is shown in the zone and the style that somebody prefers.

import { showTimesAs } from "../model/time-format.ts";
import { applyPreferences, preferenceOf } from "../preferences.ts";

export function applyTimes(): void {
  applyPreferences(() => showTimesAs({ zone: preferenceOf("zone"), isIso: preferenceOf("dates") === "iso" }));
}
