// How people call this program: by its name, or in a clone through npm.

import { defaultStore } from "./global-flags.ts";

export const program: string = process.env["npm_lifecycle_event"] === "start" ? "npm start --" : "stepwell";

/** A command to type: `commandOf("watch 12")`. */
export function commandOf(words: string): string {
  return `${program} ${words}`;
}

/** A command on this store or server, which need not be named where it is found anyway. */
export function commandOn(store: string, words: string): string {
  const { STEPWELL_URL: server, STEPWELL_STORE: other } = process.env;
  if (/^'?https?:/.test(store)) return commandOf(isSameServer(server, store) ? words : `${words} --url ${store}`);
  const isUsual = store === defaultStore && !other && !server;
  return commandOf(isUsual ? words : `${words} --store ${store}`);
}

/** `store` as it is shown: perhaps in quotes. */
function isSameServer(server: string | undefined, store: string): boolean {
  const url = URL.parse(server ?? "");
  return url !== null && `${url.origin}${url.pathname.replace(/\/+$/u, "")}` === store.replaceAll("'", "");
}
