// Throws documents at the validator: valid ones, mistaken ones and rubbish, as values and as texts. Each document has a
// seed of its own, so that one violation can be shown again alone.

import { stringify } from "yaml";
import { isObject, type Json } from "../../src/flow/json.ts";
import { mutationClasses } from "../../src/testing/mutate-flow.ts";
import { randomFlow } from "../../src/testing/random-flow.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { checkDocument, type Broken, type DocumentKind, type Printer } from "./checks.ts";
import { damage, randomJson, rewire } from "./damage.ts";

export type FuzzDocumentsOptions = {
  readonly count: number;
  /** Of the first document; the next one has the next seed. */
  readonly seed: number;
  /** A run that finds this many has shown enough. */
  readonly violationsMax?: number;
  readonly onProgress?: (done: number) => void;
};

export type FuzzDocumentsReport = {
  readonly documents: number;
  readonly accepted: number;
  readonly refused: number;
  /** By how they were made: how many, and how many of them the validator accepted. */
  readonly kinds: ReadonlyMap<DocumentKind, { readonly made: number; readonly accepted: number }>;
  readonly violations: readonly Violation[];
};

type Violation = Broken & { readonly seed: number };

export function fuzzDocuments(options: FuzzDocumentsOptions): FuzzDocumentsReport {
  const { count, seed, violationsMax = 100, onProgress } = options;
  const kinds = new Map<DocumentKind, { made: number; accepted: number }>();
  const violations: Violation[] = [];
  let documents = 0;
  while (documents < count && violations.length < violationsMax) {
    const at = seed + documents;
    const random = createRandom(at);
    const { kind, document } = makeDocument(random);
    const { isAccepted, broken } = checkDocument(document, { random, kind, printer: printerFor(random) });
    const tally = kinds.get(kind) ?? { made: 0, accepted: 0 };
    kinds.set(kind, { made: tally.made + 1, accepted: tally.accepted + (isAccepted ? 1 : 0) });
    violations.push(...broken.map((each) => ({ ...each, seed: at })));
    documents += 1;
    onProgress?.(documents);
  }
  const accepted = [...kinds.values()].reduce((sum, tally) => sum + tally.accepted, 0);
  return { documents, accepted, refused: documents - accepted, kinds, violations };
}

type Made = { readonly kind: DocumentKind; readonly document: Json };

/** Small flows: what breaks a validator seldom needs a large one, and time is better spent on more of them. */
function makeDocument(random: Random): Made {
  const choice = random.next();
  if (choice < 0.05) return { kind: "rubbish", document: randomJson(random, 6) };
  const flow = randomFlow(random, { maxSteps: random.pick([1, 2, 4, 8]) });
  if (choice < 0.25) return { kind: "valid", document: flow };
  const times = 1 + random.integer(5);
  const changed = (change: (random: Random, document: Json) => Json): Json =>
    repeat(times, flow, (document) => change(random, document));
  if (choice < 0.45) return { kind: "mistaken", document: changed(mistake) };
  if (choice < 0.7) return { kind: "rewired", document: changed(rewire) };
  return { kind: "damaged", document: changed(damage) };
}

function repeat(times: number, document: Json, change: (document: Json) => Json): Json {
  let changed = document;
  for (let time = 0; time < times; time += 1) changed = change(changed);
  return changed;
}

/** One of the mutations that fit; they read valid documents, and after the first they may find none. */
function mistake(random: Random, document: Json): Json {
  if (!isObject(document)) return document;
  for (const { apply } of random.shuffle(mutationClasses).slice(0, 8)) {
    try {
      const mutation = apply(document, random);
      if (mutation !== undefined) return mutation.document;
    } catch {
      // A document that another mutation has already bent may not have what this one changes.
    }
  }
  return document;
}

/** Printing and reading YAML costs more than all the rest, so not every document is written that way. */
function printerFor(random: Random): Printer | null {
  const choice = random.next();
  if (choice < 0.5) return null;
  if (choice < 0.85) return { syntax: "json", print: (value) => JSON.stringify(value, null, random.pick([0, 2])) };
  // Equal objects stand in the document twice, not once with an alias: the limit of aliases is not the question here.
  return { syntax: "yaml", print: (value) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }) };
}
