// What a doctor says of one thing: is it as it should be?

export type Examined = {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly message: string;
};

export const ok = (name: string, message: string): Examined => ({ name, state: "ok", message });
export const warning = (name: string, message: string): Examined => ({ name, state: "warning", message });
export const failed = (name: string, message: string): Examined => ({ name, state: "failed", message });

/** Another clock may be a little ahead. */
const aheadMaxMs = 60_000;

/** `last`: when the newest commit was made, by the clock of whoever made it. */
export function examineClock(last: number, now: number): Examined {
  if (last <= now + aheadMaxMs) return ok("clock", new Date(now).toISOString());
  return warning(
    "clock",
    `the newest commit is of ${new Date(last).toISOString()}, which is still to come; set the clock`,
  );
}
