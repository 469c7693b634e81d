// A step of a pipeline: targets may be positions, there is no fork, and AlexClaw's own keys are read.

export const pipelineStep = {
  description: "One action and some policies; the next position follows unless the step says otherwise.",
  examples: [{ tool: "rss.fetch", routes: { empty: 4, error: "alert" } }],
  type: "object",
  allOf: [{ $ref: "#/definitions/stepBase" }],
  additionalProperties: false,
  properties: {
    position: {
      description:
        "The step's number, to which routes and input_from may refer. Default: its place in the list, from 1.",
      examples: [1],
      type: "integer",
    },
    next: {
      $ref: "#/definitions/positionOrTarget",
      description: "The step that follows, by name or position; end ends the run. Default: the next position.",
      examples: ["notify", 4, "end"],
    },
    branch: {
      description: "Conditions, in order; the first that is true decides which step follows.",
      examples: [[{ if: "result.count == 0", then: 4 }]],
      type: "array",
      minItems: 1,
      items: { $ref: "#/definitions/pipelineBranchCase" },
    },
    else: {
      $ref: "#/definitions/positionOrTarget",
      description: "The step that follows when no condition of branch is true.",
      examples: ["notify", 4],
    },
    routes: { $ref: "#/definitions/pipelineRoutes" },
    on: {
      $ref: "#/definitions/pipelineRoutes",
      description: "Another name of routes. Some YAML tools read the key on as true, so prefer routes.",
      examples: [{ error: 5 }],
    },
    on_error: {
      $ref: "#/definitions/positionOrTarget",
      description: "The step that follows when this one has failed for good. Short for routes with the one name error.",
      examples: ["alert", 5],
    },
    input_from: {
      $ref: "#/definitions/positionOrTarget",
      description:
        "The name or position of the step whose result is the input here. Default: the step executed before.",
      examples: [1, "fetch"],
    },
    skill: {
      $ref: "#/definitions/text",
      description: "AlexClaw's name of tool.",
      examples: ["rss_collector"],
    },
    config: {
      description: "AlexClaw's settings of the skill; they become arguments of the call.",
      examples: [{ limit: 20 }],
      type: "object",
    },
    prompt_template: {
      description: "AlexClaw's prompt, in which {input} and {resources} are filled in.",
      examples: ["Summarise: {input}"],
      type: "string",
    },
    llm_tier: {
      description: "AlexClaw's choice of model by size.",
      examples: ["light"],
      enum: ["light", "medium", "heavy", "local"],
    },
    llm_model: {
      description: "AlexClaw's choice of model by name.",
      examples: ["small-local"],
      type: "string",
    },
  },
} as const;

export const pipelineBranchCase = {
  description: "A condition and the step that follows when it is true.",
  examples: [{ if: "result.count == 0", then: 4 }],
  type: "object",
  required: ["if", "then"],
  additionalProperties: false,
  properties: {
    if: {
      $ref: "#/definitions/text",
      description: "The condition: an expression over result, input, steps and so on.",
      examples: ["result.count > 3"],
    },
    then: {
      $ref: "#/definitions/positionOrTarget",
      description: "The step that follows, by name or position.",
      examples: ["notify", 4],
    },
  },
} as const;

export const pipelineRoutes = {
  description:
    "The step that follows, by the outcome's name. What has no name here falls through to the next position.",
  examples: [{ items: 2, empty: 4, error: "alert" }, [{ branch: "on_items", goto: 2 }]],
  anyOf: [
    {
      type: "object",
      propertyNames: { $ref: "#/definitions/outcomeName" },
      additionalProperties: { $ref: "#/definitions/positionOrTarget" },
    },
    { type: "array", items: { $ref: "#/definitions/listedRoute" } },
  ],
} as const;

export const listedRoute = {
  description: "One route: an outcome's name and where it leads.",
  examples: [{ branch: "on_items", goto: 2 }],
  type: "object",
  required: ["branch", "goto"],
  additionalProperties: false,
  properties: {
    branch: { $ref: "#/definitions/outcomeName", description: "The outcome's name.", examples: ["on_items"] },
    goto: {
      $ref: "#/definitions/positionOrTarget",
      description: "The step that follows, by position or name, or end.",
      examples: [2, "end"],
    },
  },
} as const;
