// What a flow says a step is given, before anything was put in: found in its document, whatever notation that has.

import { isObject, type Json } from "./json.ts";

const given = ["args", "input", "set", "gate", "wait", "config"];

/** `pointer`: where the step stands in the flow's normal form; it may stand elsewhere in what was written. */
export function argsTemplateOf(flow: Json, key: string, pointer: string | null): Json | null {
  return templateIn(stepIn(flow, key, pointer));
}

export function stepIn(flow: Json, key: string, pointer: string | null): Json | undefined {
  return stepOf(flow, key) ?? (pointer === null ? undefined : at(flow, pointer));
}

export function templateIn(step: Json | undefined): Json | null {
  if (!isObject(step)) return null;
  const action = isObject(step["action"]) ? step["action"] : step;
  const name = given.find((each) => action[each] !== undefined);
  return name === undefined ? null : (action[name] ?? null);
}

function stepOf(flow: Json, key: string): Json | undefined {
  if (!isObject(flow)) return undefined;
  const { steps } = flow;
  if (isObject(steps) && isObject(steps[key])) return steps[key];
  return steps === undefined && isObject(flow[key]) ? flow[key] : undefined;
}

/** A JSON pointer. */
function at(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)];
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}
