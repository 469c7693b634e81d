// From YAML's nodes to JSON and marks, in one walk in the order of the text. Recursion is safe: the depth is checked on
// the way down, also through aliases, and an alias is read anew at each use, within a budget.

import { isAlias, isMap, isScalar, type Alias, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";
import { aliasedLimit, aliasesLimit, depthLimit, keyLimit, problemsLimit } from "./limits.ts";
import type { Mark, PlaceFinder } from "./places.ts";
import {
  duplicateKey,
  isUnsafe,
  shorten,
  toFinite,
  keyTooLong,
  tooDeep,
  unreadable,
  unsafeNumber,
  type Problem,
  type Reading,
} from "./reading.ts";
import { explainComplexKey, explainKey, explainTag, findTag } from "./yaml-errors.ts";

/** The tags of the core schema and what they must stand on (`!` says no more than: not a number); others are refused. */
const coreTags: ReadonlyMap<string, string> = new Map([
  ["!", "string"],
  ["tag:yaml.org,2002:map", "map"],
  ["tag:yaml.org,2002:seq", "list"],
  ["tag:yaml.org,2002:str", "string"],
  ["tag:yaml.org,2002:int", "number"],
  ["tag:yaml.org,2002:float", "number"],
  ["tag:yaml.org,2002:bool", "boolean"],
  ["tag:yaml.org,2002:null", "null"],
]);

type Node = Exclude<ParsedNode, Alias.Parsed>;
type Result = { readonly value: Json; readonly mark: Mark };

type Walk = {
  readonly text: string;
  readonly placeAt: PlaceFinder;
  readonly path: (string | number)[];
  readonly problems: Problem[];
  /** The newest node of each anchor so far, and what each alias stood for when it was met in the text. */
  readonly anchors: Map<string, Node>;
  readonly targets: Map<Alias.Parsed, Node>;
  /** The maps and lists on the way from the root: an alias of one of them would never end. */
  readonly open: Set<Node>;
  /** How many aliases we are inside of, and how many values were read there. */
  aliasDepth: number;
  aliased: number;
  /** Where the outermost of them stands. */
  aliasAt: number;
  /** Something stands here that no value can be made of. */
  isReadable: boolean;
  /** A limit is reached: nothing more is read. */
  isStopped: boolean;
};

export function readTree(root: ParsedNode, text: string, placeAt: PlaceFinder): Reading {
  const walk: Walk = {
    text,
    placeAt,
    path: [],
    problems: [],
    anchors: new Map(),
    targets: new Map(),
    open: new Set(),
    aliasDepth: 0,
    aliased: 0,
    aliasAt: 0,
    isReadable: true,
    isStopped: false,
  };
  const { value, mark } = readNode(walk, root, undefined);
  return walk.isReadable ? { value, root: mark, problems: walk.problems } : unreadable(...walk.problems);
}

function readNode(walk: Walk, node: ParsedNode, keyAt: number | undefined): Result {
  const mark: Mark = { at: node.range[0], keyAt };
  if (walk.isStopped) return { value: null, mark };
  if (walk.aliasDepth > 0) walk.aliased += 1;
  if (walk.aliased > aliasedLimit) return stop(walk, mark, aliasLimit(walk, mark.at, "Aliases repeat too much here"));
  if (isAlias(node)) return readAlias(walk, node, mark);
  meet(walk, node);
  if (isScalar(node)) return { value: readScalar(walk, node), mark };
  if (walk.path.length === depthLimit) return stop(walk, mark, tooDeep(pointerOf(walk), mark.at));
  walk.open.add(node);
  const result = isMap(node) ? readMap(walk, node, mark) : readList(walk, node, mark);
  walk.open.delete(node);
  return result;
}

/** An alias has the place where it stands; what it brings in has the places where that is written. */
function readAlias(walk: Walk, alias: Alias.Parsed, mark: Mark): Result {
  const target = findTarget(walk, alias);
  if (target === undefined) return { value: null, mark };
  if (walk.open.has(target))
    return stop(walk, mark, aliasLimit(walk, mark.at, `*${alias.source} stands inside itself`));
  if (walk.aliasDepth === 0) walk.aliasAt = mark.at;
  walk.aliasDepth += 1;
  const { value, mark: written } = readNode(walk, target, mark.keyAt);
  walk.aliasDepth -= 1;
  return { value, mark: { ...written, at: mark.at } };
}

/** What the alias stood for where it was written, even if its anchor has been given again since. */
function findTarget(walk: Walk, alias: Alias.Parsed): Node | undefined {
  const known = walk.targets.get(alias);
  if (known !== undefined) return known;
  const target = walk.anchors.get(alias.source);
  const at = alias.range[0];
  if (target === undefined) {
    refuse(
      walk,
      at,
      `No anchor &${shorten(alias.source)} stands before this alias; write the value, or quote a text that starts with *.`,
    );
  } else if (walk.targets.size === aliasesLimit) {
    stop(walk, { at, keyAt: undefined }, aliasLimit(walk, at, `More than ${aliasesLimit} aliases are used`));
  } else {
    walk.targets.set(alias, target);
  }
  return target;
}

/** What every node but an alias may carry: an anchor and a tag. They count where they are written, not where repeated. */
function meet(walk: Walk, node: Node): void {
  if (walk.aliasDepth > 0) return;
  if (node.anchor !== undefined) walk.anchors.set(node.anchor, node);
  if (node.tag === undefined || coreTags.get(node.tag) === kindOf(node)) return;
  const at = findTag(walk.text, node.range[0]);
  report(walk, { code: "custom_tag", pointer: pointerOf(walk), at, message: explainTag(node.tag) });
}

function kindOf(node: Node): string {
  if (!isScalar(node)) return isMap(node) ? "map" : "list";
  return node.value === null ? "null" : typeof node.value;
}

function readScalar(walk: Walk, scalar: Scalar.Parsed): Json {
  const { value } = scalar;
  if (typeof value !== "number") return typeof value === "boolean" || value === null ? value : scalar.source;
  if (!isUnsafe(value)) return value;
  report(walk, unsafeNumber(scalar.source, pointerOf(walk), scalar.range[0]));
  return toFinite(value);
}

function readList(walk: Walk, list: YAMLSeq.Parsed, mark: Mark): Result {
  const values: Json[] = [];
  const items: Mark[] = [];
  for (const item of list.items) {
    walk.path.push(items.length);
    const result = readNode(walk, item, undefined);
    walk.path.pop();
    values.push(result.value);
    items.push(result.mark);
  }
  return { value: values, mark: { ...mark, items } };
}

function readMap(walk: Walk, map: YAMLMap.Parsed, mark: Mark): Result {
  const values: { [key: string]: Json } = Object.create(null);
  const members = new Map<string, Mark>();
  let misreadAt: number | undefined;
  for (const pair of map.items) {
    const keyAt = pair.key.range[0];
    const key = readKey(walk, pair.key, pair.value === null);
    if (key === undefined) continue;
    const text = keyText(key);
    if (text.length > keyLimit) return stop(walk, mark, keyTooLong(text, pointerOf(walk), keyAt));
    if (key.value === true) misreadAt = keyAt;
    walk.path.push(text);
    const first = members.get(text)?.keyAt;
    if (first !== undefined) report(walk, duplicateKey(text, pointerOf(walk), keyAt, walk.placeAt(first).line));
    const result =
      pair.value === null ? { value: null, mark: { at: keyAt, keyAt } } : readNode(walk, pair.value, keyAt);
    walk.path.pop();
    values[text] = result.value;
    members.set(text, result.mark);
  }
  if (misreadAt !== undefined) report(walk, misreadOn(pointerOf(walk), misreadAt, values));
  return { value: values, mark: { ...mark, members } };
}

function readKey(walk: Walk, node: ParsedNode, isAlone: boolean): Scalar.Parsed | undefined {
  const key = isAlias(node) ? findTarget(walk, node) : node;
  if (key === undefined) return undefined;
  if (key === node) meet(walk, key);
  const at = node.range[0];
  if (!isScalar(key)) {
    refuse(walk, at, explainComplexKey(walk.text, at));
    return undefined;
  }
  const message = explainKey(key, isAlone);
  if (message !== undefined) refuse(walk, at, message);
  return key;
}

/** Keys that are no texts, such as 404 or 1.0, are named as they are written. */
function keyText({ value, source }: Scalar.Parsed): string {
  if (value === true) return "true";
  return typeof value === "string" ? value : source;
}

function misreadOn(pointer: Pointer, at: number, values: JsonObject): Problem {
  const value = own(values, "true");
  const from = under(pointer, "true");
  const message =
    'This key is the boolean true, most likely an "on" that a YAML 1.1 tool read and wrote back; write routes instead.';
  const isRoutes = (isObject(value) || isArray(value)) && !("routes" in values || "on" in values);
  const problem: Problem = { code: "misread_on", pointer: from, at, message };
  return isRoutes ? { ...problem, patch: [{ op: "move", from, path: under(pointer, "routes") }] } : problem;
}

function aliasLimit(walk: Walk, at: number, what: string): Problem {
  return { code: "alias_limit", pointer: pointerOf(walk), at, message: `${what}; write the values out instead.` };
}

function pointerOf(walk: Walk): Pointer {
  return pointerTo(...walk.path);
}

/** A problem inside an alias was reported where it is written. */
function report(walk: Walk, problem: Problem): void {
  if (walk.aliasDepth === 0 && walk.problems.length < problemsLimit) walk.problems.push(problem);
}

function refuse(walk: Walk, at: number, message: string): void {
  walk.isReadable = false;
  report(walk, { code: "not_yaml", pointer: pointerOf(walk), at, message });
}

/** Inside an alias the place to look at is the alias, not what it repeats. */
function stop(walk: Walk, mark: Mark, problem: Problem): Result {
  walk.isReadable = false;
  walk.isStopped = true;
  walk.problems.push(walk.aliasDepth === 0 ? problem : { ...problem, at: walk.aliasAt });
  return { value: null, mark };
}
