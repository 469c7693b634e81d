// A file that somebody brings: whether it is one of those that workflows are shared in, or a flow as it is written.

import { isObject, type Json } from "./json.ts";

export type ImportPlan = {
  readonly name: string;
  readonly workflows: readonly {
    /** In the file. */
    readonly name: string;
    /** Here. */
    readonly as: string;
    readonly state: "new" | "changed" | "same";
    readonly action: "create" | "link";
  }[];
  readonly resources: readonly {
    readonly name: string;
    readonly url: string | null;
    readonly action: "create" | "link";
  }[];
  readonly missingTools: readonly string[];
  readonly missingSecrets: readonly string[];
  readonly permissions: readonly string[];
  readonly warnings: readonly string[];
};

export type Brought = { readonly kind: "file"; readonly file: Json } | { readonly kind: "flow"; readonly text: string };

/** What was exported here, or from AlexClaw, says so; all else is read as a flow. */
export function readBrought(text: string): Brought {
  try {
    const file = JSON.parse(text) as Json;
    const isShared = isObject(file) && ("stepwell" in file || ("workflow" in file && "version" in file));
    return isShared ? { kind: "file", file } : { kind: "flow", text };
  } catch {
    // It may be YAML; whether it is anything at all, the server says, with lines.
    return { kind: "flow", text };
  }
}

/** A name for a flow that has none: that of its file. */
export function nameOfFile(file: string): string {
  return file.replace(/\.(?:ya?ml|json)$/i, "").replace(/\.(?:flow|stepwell)$/i, "");
}

/** What would be done, a sentence each. */
export function sayPlan(plan: ImportPlan): readonly string[] {
  const lines = plan.workflows.map(({ name, as, action, state }) => {
    const named = name === as ? as : `${name}, here called ${as}`;
    if (action === "link")
      return `Uses ${as}, which is here already${state === "changed" ? " in another version" : ""}.`;
    return `Creates ${named}.`;
  });
  for (const { name, action } of plan.resources)
    lines.push(action === "create" ? `Creates the resource ${name}.` : `Uses the resource ${name}.`);
  return lines;
}
