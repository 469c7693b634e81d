// Instants as people read them: in the zone and the style that somebody has chosen for all times of the page, or else as
// their browser has it.

export type TimeStyle = {
  /** null, or one that the browser does not know: its own. */
  readonly zone: string | null;
  /** `2026-11-18 02:25:10`, wherever the browser is. */
  readonly isIso: boolean;
};

type Format = { readonly format: (at: number) => string };

export type Formats = {
  readonly zone: string;
  /** To the second, with its zone. */
  readonly absolute: Format;
  /** A day and its minute: `Thu 19 Nov, 09:00` */
  readonly day: Format;
  /** The same in words that are the same everywhere, for filters. */
  readonly minute: Format;
  readonly date: Format;
  /** `02:25` */
  readonly hour: Format;
  /** `02:25:10` */
  readonly clock: Format;
  /** `2026-11-18`: by which days are told apart. */
  readonly key: Format;
};

export function createFormats({ zone, isIso }: TimeStyle): Formats {
  const timeZone = knownZone(zone);
  const make = (locale: string | undefined, options: Intl.DateTimeFormatOptions): Format =>
    new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === null ? {} : { timeZone }) });
  const day = { weekday: "short", day: "numeric", month: "short" } as const;
  const hour = { hour: "2-digit", minute: "2-digit" } as const;
  const exact = { ...hour, second: "2-digit" } as const;
  // The one locale that writes dates as ISO 8601 does, but for its T.
  const iso = (options: Intl.DateTimeFormatOptions): Format => make("sv-SE", options);
  const date = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const common = {
    zone: timeZone ?? browserZone(),
    hour: make("en-GB", { ...hour, hourCycle: "h23" }),
    clock: make("en-GB", { ...exact, hourCycle: "h23" }),
    key: iso(date),
  };
  if (isIso) {
    const offset = make("en-GB", { timeZoneName: "longOffset" });
    const [second, minute] = [iso({ ...date, ...exact }), iso({ ...date, ...hour })];
    const absolute = { format: (at: number) => `${second.format(at)} ${showOffset(offset.format(at))}` };
    return { ...common, absolute, day: minute, minute, date: common.key };
  }
  const [british, minute] = [make("en-GB", { day: "numeric", month: "short" }), common.hour];
  return {
    ...common,
    absolute: make(undefined, { ...day, year: "numeric", ...exact, timeZoneName: "short" }),
    day: make(undefined, { ...day, ...hour }),
    minute: { format: (at) => `${british.format(at)} ${minute.format(at)}` },
    date: british,
  };
}

/** `18/11/2026, GMT+01:00` is `+01:00`. */
function showOffset(text: string): string {
  return /GMT([+-]\d\d:\d\d)/.exec(text)?.[1] ?? "+00:00";
}

function knownZone(zone: string | null): string | null {
  if (zone === null || zone === "") return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // Chosen in another version of the browser, or written by hand.
    return null;
  }
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All that the browser knows, and the one that has no place. */
export function zones(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
}

let formats = createFormats({ zone: null, isIso: false });

/** From now on, for all times. The one thing in this folder that is kept and not given: every sentence with a time in it
 *  would have to be handed the style else. */
export function showTimesAs(style: TimeStyle): void {
  formats = createFormats(style);
}

export function timeFormats(): Formats {
  return formats;
}
