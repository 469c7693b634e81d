// Plays lists on two stores until their histories differ; what differs is made as short as it gets, and told.

import { compare, type Difference, type Pair } from "./compare.ts";
import type { CommandList } from "./command.ts";
import { drawList, type DrawOptions } from "./draw.ts";
import { play } from "./play.ts";
import { shrink } from "./shrink.ts";

export type Finding = {
  readonly seed: number;
  /** As it was drawn. */
  readonly commands: number;
  /** As short as it gets, and what it shows. */
  readonly list: CommandList;
  readonly difference: Difference;
};

export type Seeds = DrawOptions & { readonly first: number; readonly count: number };

/** The first list whose history is not the same on both; undefined: there is none. Each pair of places plays lists of its
 *  own at the same time: while one server works, another list goes on. */
export async function findDifference(pairs: readonly Pair[], seeds: Seeds): Promise<Finding | undefined> {
  const findings: Finding[] = [];
  let next = seeds.first;
  const playOn = async (pair: Pair): Promise<void> => {
    while (findings.length === 0 && next < seeds.first + seeds.count) {
      const seed = next;
      next += 1;
      const finding = await tryList(drawList(seed, seeds), pair);
      if (finding !== undefined) findings.push(finding);
    }
  };
  await Promise.all(pairs.map(playOn));
  return findings[0];
}

async function tryList(drawn: CommandList, pair: Pair): Promise<Finding | undefined> {
  const first = await compare(drawn, pair);
  if (first === undefined) return undefined;
  const list = await shrink(drawn, async (shorter) => (await compare(shorter, pair)) !== undefined);
  const difference = await compare(list, pair);
  const found = { seed: drawn.seed, commands: drawn.commands.length };
  // Seen once and not again: then it hangs on more than the list, and the whole of it is told.
  return difference === undefined ? { ...found, list: drawn, difference: first } : { ...found, list, difference };
}

/** For people: the commands, what differs, and how to see it again. */
export async function describeFinding({ seed, commands, list, difference }: Finding, pair: Pair): Promise<string> {
  const [one, other] = pair;
  const scenes = await play(list, one).catch(() => []);
  const said = list.commands.map((command, place) => scenes[place]?.said ?? JSON.stringify(command));
  const { said: after, path, seen } = difference;
  return [
    `Seed ${seed}: another history on ${other.name} than on ${one.name}. ${said.length} of its ${commands} commands are enough:`,
    ...said.map((text, place) => `  ${place + 1}. ${text}`),
    `After "${after}", at ${path}:`,
    `  ${one.name}: ${seen[0]}`,
    `  ${other.name}: ${seen[1]}`,
    `Again: npm run lists -- --seed ${seed}`,
  ].join("\n");
}
