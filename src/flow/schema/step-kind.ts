// What a step can do besides a tool call, and how it can end: wait, each, done.

export const wait = {
  description: "Sleeps for a time, until an instant, or until a named event comes. It survives restarts.",
  examples: ["30m", { until: "tomorrow at 9am" }, { event: "paid", match: "event.order == input.order" }],
  anyOf: [{ $ref: "#/definitions/duration" }, { $ref: "#/definitions/waitUntil" }, { $ref: "#/definitions/waitEvent" }],
} as const;

export const waitUntil = {
  description: "Sleeps until an instant; one that has passed ends the wait at once.",
  examples: [{ until: "tomorrow at 9am", zone: "Europe/Berlin" }],
  type: "object",
  required: ["until"],
  additionalProperties: false,
  properties: {
    until: {
      $ref: "#/definitions/text",
      description: "The instant, as ISO 8601 or in words; it may be a template.",
      examples: ["tomorrow at 9am", "{{ input.due }}"],
    },
    zone: {
      $ref: "#/definitions/text",
      description: "The time zone in which the words are read. Default: the engine's.",
      examples: ["Europe/Berlin"],
    },
  },
} as const;

export const waitEvent = {
  description: "Waits for an event of this name; its data is the step's result.",
  examples: [{ event: "paid", match: "event.order == input.order" }],
  type: "object",
  required: ["event"],
  additionalProperties: false,
  properties: {
    event: { $ref: "#/definitions/text", description: "The name of the event.", examples: ["paid"] },
    match: {
      $ref: "#/definitions/text",
      description: "An expression that must be true for the event to count.",
      examples: ["event.order == input.order"],
    },
  },
} as const;

export const each = {
  description: "Runs the step once per item, with item and index at hand, and joins by itself.",
  examples: [{ items: "{{ previous.orders }}", concurrency: 4 }],
  type: "object",
  required: ["items"],
  additionalProperties: false,
  properties: {
    items: {
      description: "The list, at most 100,000 items: an expression in double braces, or the list itself.",
      examples: ["{{ previous.orders }}", ["north", "south"]],
      anyOf: [{ $ref: "#/definitions/template" }, { type: "array" }],
    },
    concurrency: {
      description: "How many items run at the same time.",
      examples: [4],
      type: "integer",
      minimum: 1,
    },
    on_item_error: {
      description:
        "What a failed item means. Default: fail, the step fails. collect puts null in its place, and the outcome is partial.",
      examples: ["collect"],
      enum: ["fail", "collect"],
    },
    result: {
      description: "What the step's result is. Default: list, the results in the items' order.",
      examples: ["none"],
      enum: ["list", "none"],
    },
  },
} as const;

export const done = {
  description: "true: this path ends with success after the action. The object says how it ends and with what.",
  examples: [true, { kind: "failure", message: "No stock for {{ input.order }}" }],
  anyOf: [{ type: "boolean" }, { $ref: "#/definitions/ending" }],
} as const;

export const ending = {
  description: "How a path ends and what it leaves behind.",
  examples: [{ kind: "failure", message: "No stock for {{ input.order }}" }],
  type: "object",
  additionalProperties: false,
  properties: {
    kind: {
      $ref: "#/definitions/terminalKind",
      description: "Default: success, which ends this path only. failure and cancel end the whole run.",
      examples: ["failure"],
    },
    output: {
      description: "The run's output. Default: the result of this step.",
      examples: ["{{ result.summary }}", { total: "{{ result.total }}" }],
    },
    message: {
      description: "What people read about this end.",
      examples: ["No stock for {{ input.order }}"],
      type: "string",
    },
  },
} as const;
