// The same list on two stores: where what is seen first differs, if it does.

import { isArray, isObject, type Json } from "../../src/flow/json.ts";
import type { CommandList } from "./command.ts";
import type { Place } from "./place.ts";
import { play, type Scene } from "./play.ts";

export type Difference = {
  /** The command after which it is seen. */
  readonly scene: number;
  readonly said: string;
  /** Where in what is seen, and what stands there on either store. */
  readonly path: string;
  readonly seen: readonly [one: string, other: string];
};

export type Pair = readonly [one: Place, other: Place];

/** undefined: there is none. */
export async function compare(list: CommandList, [one, other]: Pair): Promise<Difference | undefined> {
  const [first, second] = await Promise.all([playOrTell(list, one), playOrTell(list, other)]);
  for (let scene = 0; scene < Math.max(first.length, second.length); scene++) {
    const here = first[scene] ?? missing;
    const there = second[scene] ?? missing;
    if (here.said === there.said && here.seen === there.seen && here.said !== brokenOff) continue;
    if (here.said !== there.said || here.said === brokenOff)
      return { scene, said: here.said, path: "", seen: [tell(here), tell(there)] };
    return { scene, said: here.said, ...pointOut(JSON.parse(here.seen), JSON.parse(there.seen)) };
  }
  return undefined;
}

const missing: Scene = { said: "nothing", seen: "null" };

const brokenOff = "the play breaks off";

/** A play that breaks off is seen as well, and never as it should be. */
async function playOrTell(list: CommandList, place: Place): Promise<readonly Scene[]> {
  try {
    return await play(list, place);
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ said: brokenOff, seen: JSON.stringify(told) }];
  }
}

function tell({ said, seen }: Scene): string {
  return said === brokenOff ? `${said}: ${cut(seen)}` : said;
}

type PointedOut = Pick<Difference, "path" | "seen">;

/** The innermost place at which two values differ. */
function pointOut(one: Json, other: Json): PointedOut {
  let path = "";
  let pair: readonly [Json | undefined, Json | undefined] = [one, other];
  for (;;) {
    const [here, there] = pair;
    const next = here === undefined || there === undefined ? undefined : findInside(here, there);
    if (next === undefined) return { path, seen: [show(here), show(there)] };
    path = `${path}/${next.key}`;
    pair = [next.one, next.other];
  }
}

type Inside = { readonly key: string; readonly one: Json | undefined; readonly other: Json | undefined };

function findInside(one: Json, other: Json): Inside | undefined {
  if (!(isArray(one) && isArray(other)) && !(isObject(one) && isObject(other))) return undefined;
  const here = new Map<string, Json>(Object.entries(one));
  const there = new Map<string, Json>(Object.entries(other));
  for (const key of [...here.keys(), ...there.keys()]) {
    const pair = { key, one: here.get(key), other: there.get(key) };
    if (JSON.stringify(pair.one) !== JSON.stringify(pair.other)) return pair;
  }
  // The same members in another order.
  return undefined;
}

const shownMax = 600;

function show(value: Json | undefined): string {
  return value === undefined ? "nothing" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
