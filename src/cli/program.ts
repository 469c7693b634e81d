// How people call this program: by its name, or in a clone through npm.

import { defaultStore } from "./global-flags.ts";

const isUnderNpm = process.env["npm_lifecycle_event"] === "start";

/** A command to type: `commandOf("watch 12")`. */
export function commandOf(words: string): string {
  return `${isUnderNpm ? "npm start --" : "stepwell"} ${words}`;
}

/** A command on this store or server, which need not be named where it is found anyway. */
export function commandOn(store: string, words: string): string {
  if (/^'?https?:/.test(store)) return commandOf(process.env["STEPWELL_URL"] ? words : `${words} --url ${store}`);
  const isUsual = store === defaultStore && !process.env["STEPWELL_STORE"];
  return commandOf(isUsual ? words : `${words} --store ${store}`);
}
