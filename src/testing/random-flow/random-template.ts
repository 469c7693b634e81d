// Random JSON with places to fill in: args, `set`, messages.

import { type Json, type JsonObject, objectFrom } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import { randomValue, type Vocabulary } from "./random-expression.ts";

/** A map of arguments. `hasSecrets`: a secret may stand in it, since the values go to a tool. */
export function randomArgs(random: Random, vocabulary: Vocabulary, hasSecrets: boolean): JsonObject {
  const names = random.shuffle(["to", "query", "amount", "items", "options", "label"]).slice(0, random.integer(4));
  const entries = names.map((name) => [name, randomTemplate(random, vocabulary, 2)] as const);
  if (!hasSecrets || !random.chance(0.1)) return objectFrom(entries);
  return objectFrom([...entries, ["token", random.pick(["{{ secrets.API_KEY }}", "Bearer {{ secrets.API_KEY }}"])]]);
}

export function randomTemplate(random: Random, vocabulary: Vocabulary, depth: number): Json {
  if (depth > 0 && random.chance(0.2)) {
    return Array.from({ length: random.integer(3) }, () => randomTemplate(random, vocabulary, depth - 1));
  }
  if (depth > 0 && random.chance(0.2)) {
    const members = ["region", "deep", "{{ not expanded }}"].slice(0, 1 + random.integer(3));
    return objectFrom(members.map((name) => [name, randomTemplate(random, vocabulary, depth - 1)]));
  }
  return random.chance(0.6) ? randomText(random, vocabulary) : plainValue(random);
}

/** One expression alone, or text around some. */
export function randomText(random: Random, vocabulary: Vocabulary): string {
  const hole = (): string => `{{ ${randomValue(random, vocabulary)} }}`;
  switch (random.integer(4)) {
    case 0:
      return `Hello ${hole()}`;
    case 1:
      return `${hole()} and ${hole()}, as it was`;
    case 2:
      return '{{ "{{" }} is how a template begins';
    default:
      return hole();
  }
}

function plainValue(random: Random): Json {
  return random.pick<Json>(["plain text", 12, 1.5, true, false, null, "", "größe", [1, 2], { region: "eu" }]);
}
