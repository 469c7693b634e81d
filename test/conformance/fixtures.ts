// What the official suite asks of a server, as workflows of ours: each of its tools is one, run by the engine like any
// other, and only their names and two habits are the suite's own.

import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../src/flow/json.ts";
import type { Exposure } from "../../src/server/mcp/house.ts";
import { defineTool, type ToolContext } from "../../src/tool/function.ts";
import type { Tool } from "../../src/tool/tool.ts";

/** Answers after a while, unless nobody wants it any more. */
const compute: Tool = defineTool({
  name: "suite.compute",
  effect: "read",
  call: async (input, { signal }: ToolContext) => {
    const { seconds = 0, label = "" } = input as { readonly seconds?: number; readonly label?: string };
    if (seconds > 0) await sleep(seconds * 1000, undefined, { signal });
    return `${label} took ${seconds} s`;
  },
});

const text = { type: "string" } as const;
const once = { retry: { attempts: 1 } } as const;

function form(properties: Json): Json {
  return { type: "object", properties };
}

/** By the names under which the suite calls them. */
export const workflows: Readonly<Record<string, Json>> = {
  greet: {
    input: { type: "object", properties: { name: text }, required: ["name"] },
    steps: { start: { set: {}, done: { output: "Hello, {{ input.name }}!" } } },
  },
  slow_compute: {
    input: { type: "object", properties: { seconds: { type: "number" }, label: text } },
    steps: {
      start: {
        tool: "suite.compute",
        args: { seconds: "{{ input.seconds ?? 0 }}", label: "{{ input.label ?? '' }}" },
      },
    },
  },
  failing_job: {
    steps: {
      start: { tool: "suite.compute", args: { seconds: 0.4 }, next: "fail" },
      fail: { tool: "demo.fail", args: { message: "this always fails" }, ...once },
    },
  },
  protocol_error_job: {
    steps: {
      start: { tool: "suite.compute", args: { seconds: 0.4 }, next: "fail" },
      fail: { tool: "demo.fail", args: { code: "protocol_error", message: "this was no answer" }, ...once },
    },
  },
  confirm_delete: {
    input: { type: "object", properties: { filename: text } },
    steps: {
      start: {
        gate: { title: "Delete {{ input.filename }}?", form: form({ confirm: { type: "boolean" } }) },
        next: "tell",
      },
      tell: { set: {}, done: { output: "{{ input.filename }} was deleted" } },
    },
  },
  multi_input: {
    steps: {
      start: { set: {}, parallel: ["name", "confirm"], join: "tell" },
      name: { gate: { title: "Your name?", form: form({ name: text }) } },
      confirm: { gate: { title: "Sure?", form: form({ confirm: { type: "boolean" } }) } },
      tell: { set: {}, done: { output: "Both were answered" } },
    },
  },
  test_tool_with_task: {
    input: { type: "object", properties: { name: { ...text, minLength: 1 } }, required: ["name"] },
    steps: {
      start: { tool: "suite.compute", args: { seconds: 0.4 }, next: "tell" },
      tell: { set: {}, done: { output: "Hello, {{ input.name }}" } },
    },
  },
  test_simple_text: {
    steps: { start: { set: {}, done: { output: "This is a simple text response for testing." } } },
  },
  test_error_handling: {
    steps: { start: { tool: "demo.fail", args: { message: "This tool intentionally returns an error" }, ...once } },
  },
  test_tool_with_progress: {
    steps: {
      start: { tool: "suite.compute", args: { seconds: 0.05 }, next: "second" },
      second: { tool: "suite.compute", args: { seconds: 0.05 }, next: "third" },
      third: { tool: "suite.compute", args: { seconds: 0.05 } },
    },
  },
  test_elicitation: {
    input: { type: "object", properties: { message: text } },
    steps: {
      start: { gate: { title: "{{ input.message }}", form: form({ username: text, email: text }) }, next: "tell" },
      tell: { set: {}, done: { output: "It was answered" } },
    },
  },
  test_elicitation_sep1034_defaults: {
    steps: {
      start: {
        gate: {
          title: "Is this right?",
          form: form({
            name: { ...text, default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { ...text, enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          }),
        },
        next: "tell",
      },
      tell: { set: {}, done: { output: "It was answered" } },
    },
  },
  test_header_argument: {
    input: { type: "object", properties: { region: { ...text, "x-mcp-header": "Region" } } },
    steps: { start: { set: {}, done: { output: "It was done in {{ input.region }}" } } },
  },
  test_trigger_tool_change: { steps: { start: { tool: "suite.change" } } },
  json_schema_2020_12_tool: { input: whole(), steps: { start: { set: {}, done: { output: "ok" } } } },
};

function has(name: string): Json {
  return { required: [name] };
}

/** Every kind of keyword that has to come through as it was written. */
function whole(): Json {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: { $anchor: "addressDef", type: "object", properties: { street: text, city: text } },
    },
    properties: {
      name: text,
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: text,
      email: text,
    },
    allOf: [{ anyOf: [has("phone"), has("email")] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: has("phone"),
    else: has("email"),
    additionalProperties: false,
  };
}

export const tools: readonly Tool[] = [compute];

export const exposures: ReadonlyMap<string, Exposure> = new Map(
  Object.keys(workflows).map((name): [string, Exposure] => [
    name,
    {
      tool: name,
      ...(name === "failing_job" ? { isTaskOnly: true } : {}),
      ...(name === "test_tool_with_task" ? { asksFirst: true } : {}),
    },
  ]),
);
