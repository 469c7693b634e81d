// Plays a list on a store and writes down all that can be seen of it, command by command.

import { StepwellError } from "../../src/error.ts";
import { createRandom } from "../../src/testing/random.ts";
import { carryOut, isOfWorld, type Hands, type WorldCommand } from "./carry-out.ts";
import type { Command, CommandList } from "./command.ts";
import { drawFlows } from "./flows.ts";
import { Life } from "./life.ts";
import { emptySight, look, lookAtAll } from "./look.ts";
import type { Place } from "./place.ts";
import { Names } from "./rename.ts";

/** One command and what it led to. */
export type Scene = {
  readonly said: string;
  /** All that was seen after it, as JSON in which nothing is left to chance. */
  readonly seen: string;
};

export async function play({ seed, commands }: CommandList, place: Place): Promise<readonly Scene[]> {
  const set = drawFlows(createRandom(seed).split());
  await using life = new Life(place, { seed, named: set.named });
  await life.begin();
  const names = new Names();
  const keys = commands.flatMap((command) => (command.kind === "start" ? (command.key ?? []) : []));
  const scenes: Scene[] = [];
  let sight = emptySight;
  let mark = "";
  let saved = 0;
  for (const command of commands) {
    const hands = { engine: life.engine, now: life.clock.now(), set, sight, saved };
    const { said, answer } = await act(life, command, hands);
    saved = hands.saved;
    // Where nothing was written there is nothing new to see.
    const isSame = life.mark === mark;
    if (!isSame) sight = await look(life, sight);
    mark = life.mark;
    const told = JSON.stringify({ answer, told: life.takeTold() });
    const seen = isSame ? told : `${told.slice(0, -1)},"runs":${sight.news}}`;
    scenes.push({ said, seen: names.rename(seen, life.epochs) });
  }
  const all = JSON.stringify(await lookAtAll(life, sight, keys));
  return [...scenes, { said: "a look at everything", seen: names.rename(all, life.epochs) }];
}

type Acted = { readonly said: string; readonly answer: unknown };

async function act(life: Life, command: Command, hands: Hands): Promise<Acted> {
  if (isOfWorld(command)) return actOnWorld(life, command);
  const asked = carryOut(command, hands);
  if (asked === undefined) return actOnWorld(life, { kind: "advance", ms: "next" });
  const { said, answer } = asked;
  const heard = listen(answer);
  await life.settle();
  if (!life.isDead) return { said, answer: heard() };
  await life.revive();
  // What it heard depends on the moment of its death, and a dead process tells nobody.
  return { said: `${said} (the process dies)`, answer: "dead" };
}

async function actOnWorld(life: Life, command: WorldCommand): Promise<Acted> {
  switch (command.kind) {
    case "advance": {
      const ms = command.ms === "next" ? (life.clock.nextInMs ?? 0) : command.ms;
      await life.clock.advance(ms);
      if (life.isDead) await life.revive();
      return { said: `advance ${ms} ms`, answer: null };
    }
    case "crash":
      if (command.at === null) await life.revive();
      else life.dieAt(command.at);
      return { said: `crash ${JSON.stringify(command.at)}`, answer: null };
    case "reopen":
      await life.reopen(command.retention);
      return { said: `reopen ${JSON.stringify(command.retention)}`, answer: null };
  }
}

/** What has been answered by the time that one asks. */
function listen(answer: Promise<unknown>): () => unknown {
  let heard: unknown = "unanswered";
  const hear = async (): Promise<void> => {
    try {
      heard = { value: await answer };
    } catch (error) {
      heard = { error: error instanceof StepwellError ? { code: error.code, message: error.message } : String(error) };
    }
  };
  void hear();
  return () => heard;
}
