// The documents: what a flow, a pipeline or a machine carries besides its steps or states.

export const documentBase = {
  type: "object",
  properties: {
    format: { $ref: "#/definitions/format" },
    name: {
      $ref: "#/definitions/text",
      description: "The workflow's name.",
      examples: ["refund"],
    },
    description: {
      description: "What the workflow does, for people and for the tools that list it.",
      examples: ["Refund an order after a check and, above 100, an approval"],
      type: "string",
    },
    input: {
      $ref: "#/definitions/jsonSchema",
      description:
        "A JSON Schema of the run's input; a start with other input is refused, and the page draws a form from it.",
      examples: [{ type: "object", required: ["order"], properties: { order: { type: "string" } } }],
    },
    defaults: { $ref: "#/definitions/defaults" },
    cancel: {
      description:
        "Where a run may be cancelled. Default: anywhere in flows and pipelines; declared in machines, which is only where a transition leads to a state of kind cancel.",
      examples: ["anywhere"],
      enum: ["anywhere", "declared", "never"],
    },
    timeout: {
      $ref: "#/definitions/duration",
      description: "How long the whole run may take, waits included. Default: no limit.",
      examples: ["30d"],
    },
    strict: {
      description: "true: a missing reference in a template is an error, not an empty text.",
      examples: [true],
      type: "boolean",
    },
    triggers: {
      description: "What starts the workflow by itself.",
      examples: [[{ cron: "0 8 * * 1-5", zone: "Europe/Berlin" }, { webhook: "refund" }]],
      type: "array",
      items: { $ref: "#/definitions/trigger" },
    },
    resources: {
      description: "Named things that expressions read as resources.NAME.",
      examples: [{ feed: { type: "rss", url: "https://example.org/feed.xml" } }],
      type: "object",
      additionalProperties: { $ref: "#/definitions/resource" },
    },
    requires_2fa: {
      description: "true: a run starts only after a second factor.",
      examples: [true],
      type: "boolean",
    },
    "x-ui": {
      description: "The layout of the page. Changing it makes no new version.",
      examples: [{ positions: { look: [40, 80] } }],
      type: "object",
    },
  },
} as const;

export const defaults = {
  description: "What holds where a run or a step says nothing.",
  examples: [{ input: { amount: 0 }, timeout: "120s", retry: { attempts: 3, backoff: ["5s", "30s", "60s"] } }],
  type: "object",
  additionalProperties: false,
  properties: {
    input: {
      description: "Values under the run's input, merged at the top level.",
      examples: [{ amount: 0 }],
      type: "object",
    },
    timeout: {
      $ref: "#/definitions/duration",
      description: "How long one tool call may take. Default: 120s.",
      examples: ["120s"],
    },
    retry: { $ref: "#/definitions/retry" },
  },
} as const;

export const resource = {
  description: "A named thing the flow reads, with any further keys.",
  examples: [{ type: "rss", url: "https://example.org/feed.xml" }],
  type: "object",
  properties: {
    type: { description: "What kind of thing it is.", examples: ["rss"], type: "string" },
    url: { description: "Where it is.", examples: ["https://example.org/feed.xml"], type: "string" },
  },
} as const;

export const flow = {
  description: "A flow: a map of steps, which may branch, fork and join.",
  examples: [
    { format: "stepwell/v1", name: "hello", steps: { greet: { tool: "log", args: { message: "Hello" }, done: true } } },
  ],
  type: "object",
  allOf: [{ $ref: "#/definitions/documentBase" }],
  required: ["steps"],
  additionalProperties: false,
  properties: {
    start: {
      description: "The name of the first step, or the step itself. Default: the only step that nothing leads to.",
      examples: ["look"],
      anyOf: [{ type: "string" }, { $ref: "#/definitions/step" }],
    },
    steps: {
      description: "The steps by name.",
      examples: [{ greet: { tool: "log", args: { message: "Hello" }, done: true } }],
      type: "object",
      additionalProperties: { $ref: "#/definitions/step" },
    },
  },
} as const;

export const bareFlow = {
  description: "A flow without its document: just the map of steps.",
  examples: [{ start: { tool: "log", args: { message: "Hello" }, done: true } }],
  type: "object",
  additionalProperties: { $ref: "#/definitions/step" },
} as const;

export const pipeline = {
  description: "A pipeline: a list of steps that follow each other, each fed with the result of the one before.",
  examples: [{ format: "stepwell/v1", name: "news", steps: [{ tool: "rss.fetch" }, { tool: "chat.send" }] }],
  type: "object",
  allOf: [{ $ref: "#/definitions/documentBase" }],
  required: ["steps"],
  additionalProperties: false,
  properties: {
    start: {
      $ref: "#/definitions/positionOrTarget",
      description: "The name or position of the first step. Default: the lowest position.",
      examples: [1, "fetch"],
    },
    steps: {
      description: "The steps in their order.",
      examples: [[{ tool: "rss.fetch" }, { tool: "chat.send" }]],
      type: "array",
      items: { $ref: "#/definitions/pipelineStep" },
    },
  },
} as const;
