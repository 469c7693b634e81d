// AlexClaw's export, version 1, which is read as a pipeline. People edit these files by hand: unknown keys are passed
// over, and what the exporter writes as null may be null.

export const alexClaw = {
  description: "A workflow as AlexClaw exports it.",
  examples: [{ version: 1, workflow: { name: "News" }, steps: [{ position: 1, skill: "rss_collector" }] }],
  type: "object",
  required: ["version", "workflow", "steps"],
  properties: {
    version: { description: "The version of the export.", examples: [1], const: 1 },
    workflow: { $ref: "#/definitions/alexClawWorkflow" },
    steps: {
      description: "The steps; their positions are kept.",
      examples: [[{ position: 1, skill: "rss_collector" }]],
      type: "array",
      items: { $ref: "#/definitions/alexClawStep" },
    },
    resources: {
      description: "The resources that the workflow uses.",
      examples: [[{ name: "feed", type: "rss_feed", url: "https://example.org/feed.xml" }]],
      type: ["array", "null"],
      items: { $ref: "#/definitions/alexClawResource" },
    },
  },
} as const;

export const alexClawWorkflow = {
  description: "What the export says about the workflow itself.",
  examples: [{ name: "News", schedule: "0 8 * * *" }],
  type: "object",
  required: ["name"],
  properties: {
    name: { $ref: "#/definitions/text", description: "The workflow's name.", examples: ["News"] },
    description: { description: "What it does.", examples: ["Morning news"], type: ["string", "null"] },
    schedule: { description: "A cron expression.", examples: ["0 8 * * *"], type: ["string", "null"] },
    enabled: { description: "Imported workflows start disabled.", examples: [true], type: ["boolean", "null"] },
    provider: { description: "The model's provider.", examples: ["local"], type: ["string", "null"] },
    default_provider: { description: "The same.", examples: ["local"], type: ["string", "null"] },
    node: { description: "The machine it runs on.", examples: ["north"], type: ["string", "null"] },
    metadata: { description: "Free settings.", examples: [{ requires_2fa: true }], type: ["object", "null"] },
  },
} as const;

export const alexClawStep = {
  description: "A step of the export.",
  examples: [{ position: 1, skill: "rss_collector", routes: [{ branch: "on_items", goto: 2 }] }],
  type: "object",
  required: ["skill"],
  properties: {
    position: { description: "Its number; gaps are kept.", examples: [5], type: "integer" },
    name: { description: "What people see.", examples: ["Fetch feeds"], type: ["string", "null"] },
    skill: { $ref: "#/definitions/text", description: "The tool it calls.", examples: ["rss_collector"] },
    config: { description: "The skill's settings.", examples: [{ timeout_ms: 30000 }], type: ["object", "null"] },
    prompt_template: { description: "A prompt.", examples: ["Sum up: {input}"], type: ["string", "null"] },
    llm_tier: { description: "The model's size.", examples: ["light"], type: ["string", "null"] },
    llm_model: { description: "The model's name.", examples: ["small-local"], type: ["string", "null"] },
    routes: {
      description: "Where each outcome leads.",
      examples: [[{ branch: "on_items", goto: 2 }]],
      type: ["array", "null"],
      items: { $ref: "#/definitions/alexClawRoute" },
    },
    input_from: { description: "The position its input comes from.", examples: [1], type: ["integer", "null"] },
  },
} as const;

export const alexClawRoute = {
  description: "A route of the export.",
  examples: [{ branch: "on_items", goto: 2 }],
  type: "object",
  required: ["branch", "goto"],
  properties: {
    branch: { $ref: "#/definitions/outcomeName", description: "The outcome's name.", examples: ["on_items"] },
    goto: { description: "A position, or end.", examples: [2, "end"], type: ["integer", "string"] },
  },
} as const;

export const alexClawResource = {
  description: "A resource of the export.",
  examples: [{ name: "feed", type: "rss_feed", url: "https://example.org/feed.xml" }],
  type: "object",
  required: ["name"],
  properties: {
    name: { $ref: "#/definitions/text", description: "Its name.", examples: ["feed"] },
    type: { description: "What kind of thing it is.", examples: ["rss_feed"], type: ["string", "null"] },
    url: { description: "Where it is.", examples: ["https://example.org/feed.xml"], type: ["string", "null"] },
  },
} as const;
