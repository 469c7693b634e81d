// Resources of a file against those that are here: the same name and address mean the same thing, and what is here counts.

import { canonicalText, isObject, type JsonObject } from "../../flow/json.ts";
import type { EntryReader } from "../workflow-entry.ts";
import type { FiledWorkflow, SharedFile } from "./document.ts";
import {
  addResources,
  listOnce,
  nameOfResource,
  replaceResources,
  resourceKey,
  resourceKind,
  resourcesIn,
  toResource,
} from "./resources.ts";

export type SettledResource = {
  readonly name: string;
  readonly url: string | null;
  readonly isHere: boolean;
  /** It is here, and not what the file says. */
  readonly isOther: boolean;
  /** What flows read from now on. */
  readonly kept: JsonObject;
};

export type Settled = {
  /** With flows that read what is here. */
  readonly file: SharedFile;
  readonly resources: readonly SettledResource[];
};

export function settleResources(file: SharedFile, entries: EntryReader): Settled {
  const carried = [file.main, ...file.others].flatMap(({ flow }) => resourcesIn(flow));
  const keys = new Set(carried.map(resourceKey));
  // What no flow carries was added by hand, for the workflow that the file is about.
  const added = file.resources.filter((each) => !keys.has(resourceKey(each)));
  const all = listOnce([...carried, ...added]);
  const resources = all.map((each) => settle(each, entries));
  const byKey = new Map(all.map((each, index) => [resourceKey(each), resources[index]?.kept ?? each]));
  const read = (filed: FiledWorkflow, extra: readonly JsonObject[]): FiledWorkflow => {
    const whole = addResources(filed.flow, extra);
    return withFlow(
      filed,
      replaceResources(whole, (each) => byKey.get(resourceKey(each)) ?? each),
    );
  };
  return {
    file: { ...file, main: read(file.main, added), others: file.others.map((each) => read(each, [])) },
    resources,
  };
}

function settle(resource: JsonObject, entries: EntryReader): SettledResource {
  const name = nameOfResource(resource);
  const url = typeof resource["url"] === "string" ? resource["url"] : null;
  const entry = entries.find(resourceKind, resourceKey(resource));
  if (entry === undefined || !isObject(entry.value))
    return { name, url, isHere: false, isOther: false, kept: resource };
  const kept = toResource(name, entry.value);
  return { name, url, isHere: true, isOther: canonicalText(kept) !== canonicalText(resource), kept };
}

/** A text that no longer says the same is none. */
function withFlow(filed: FiledWorkflow, flow: FiledWorkflow["flow"]): FiledWorkflow {
  if (flow === filed.flow) return filed;
  const { text: _, ...rest } = filed;
  return { ...rest, flow };
}
