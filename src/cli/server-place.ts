// Where a command's server is, when it works on one in place of a store, and the client of it.

import { StepwellError } from "../error.ts";
import type { RemoteEngine } from "../remote/remote-engine.ts";
import type { Call } from "./command.ts";

type Wish = Pick<Call, "values" | "surroundings">;

/** `patienceMs`: of somebody who waits for less long than a command does. */
export type ServerWish = Wish & { readonly patienceMs?: number };

/** undefined: the command works on a store. One that is named on the command line goes over the environment. */
export function urlOf({ values, surroundings }: Wish): string | undefined {
  if (values.url !== undefined) return values.url;
  return values.store === undefined ? surroundings.environment["STEPWELL_URL"] || undefined : undefined;
}

export function tokenOf({ values, surroundings }: Wish): string | undefined {
  return values.token ?? (surroundings.environment["STEPWELL_TOKEN"] || undefined);
}

/** How long a server that was there may be away. */
const usualPatienceMs = 30_000;

export type Visit = { readonly client: RemoteEngine; readonly user: string };

/** Asks who we are there: whoever is mistaken hears of it before anything is done. */
export async function visitServer(url: string, wish: ServerWish): Promise<Visit> {
  const { createRemote } = await import("../remote/remote-engine.ts");
  const token = tokenOf(wish);
  const { patienceMs = usualPatienceMs } = wish;
  const client = createRemote({ url, patienceMs, ...(token === undefined ? {} : { token }) });
  return { client, user: await client.greet() };
}

/** What cannot be meant: two places at once, or two who act. */
export function refuseTwoPlaces(wish: Wish, usage: string): void {
  const { values } = wish;
  if (values.url !== undefined && values.store !== undefined)
    throw new StepwellError("USAGE", "Both --url and --store are given; give one of them.", { hint: usage });
  if (values.as !== undefined && urlOf(wish) !== undefined)
    throw new StepwellError("USAGE", "On a server the token says who you are: leave --as out.", {
      hint: "--token, or STEPWELL_TOKEN",
    });
}

/** For a command about the store itself, which would else take the file that happens to lie here. */
export function refuseUrl(wish: Wish, what: string): void {
  if (urlOf(wish) === undefined) return;
  throw new StepwellError("USAGE", `stepwell ${what} works on a store; do it on the machine where the store is.`, {
    hint: "--store names it; leave --url and STEPWELL_URL out",
  });
}
