// Makes a list that fails as short as it gets: parts of it are left out, large ones first, as long as it still fails.

import type { CommandList } from "./command.ts";

/** Enough for lists of some dozens of commands. */
const trialsMax = 200;

export async function shrink(
  list: CommandList,
  isFailing: (shorter: CommandList) => Promise<boolean>,
): Promise<CommandList> {
  let { commands } = list;
  let trials = 0;
  for (let size = Math.ceil(commands.length / 2); size >= 1;) {
    let isShorter = false;
    // From the end: what comes after the failure goes at once.
    for (let from = commands.length - size; from >= 0 && trials < trialsMax; from -= size) {
      const shorter = commands.toSpliced(from, size);
      trials += 1;
      if (await isFailing({ ...list, commands: shorter })) {
        commands = shorter;
        isShorter = true;
      }
    }
    if (trials >= trialsMax) break;
    if (!isShorter) size = size === 1 ? 0 : Math.floor(size / 2);
  }
  return { ...list, commands };
}
