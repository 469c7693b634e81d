// A step: one action, one transition, some policies. `stepBase` holds what steps of flows and pipelines share; where
// a flow knows names only, a pipeline also knows positions.

export const stepBase = {
  type: "object",
  allOf: [{ $ref: "#/definitions/callPolicy" }],
  dependencies: { else: ["branch"], on_branch_error: ["parallel"] },
  properties: {
    name: {
      $ref: "#/definitions/text",
      description: "What people see, and a second name under which the step is found. Default: its key.",
      examples: ["search"],
    },
    tool: {
      description:
        "The tool to call: the server's key and the tool's name, or a name that just one tool has. null is a gate: the step waits for a person.",
      examples: ["search.query", null],
      type: ["string", "null"],
      minLength: 1,
    },
    args: { $ref: "#/definitions/args" },
    gate: { $ref: "#/definitions/gate" },
    wait: { $ref: "#/definitions/wait" },
    flow: {
      title: 'a workflow\'s name, such as "refund", or with a version, such as "refund@3"',
      description:
        "Starts another workflow and waits for it: its name, with @ and a number where the version is fixed.",
      examples: ["refund", "refund@3"],
      type: "string",
      pattern: "^[^@]+(@[1-9][0-9]{0,8})?$",
    },
    input: {
      description: "The input of the workflow that flow starts. Texts may hold {{ expressions }}.",
      examples: [{ order: "{{ input.order }}" }, "{{ previous }}"],
      anyOf: [{ type: "object" }, { $ref: "#/definitions/template" }],
    },
    set: {
      description: "Computes values and calls nothing. The values are the step's result.",
      examples: [{ total: "{{ input.price * input.count }}" }],
      type: "object",
    },
    each: { $ref: "#/definitions/each" },
    done: { $ref: "#/definitions/done" },
    terminal: {
      $ref: "#/definitions/terminalKind",
      description: "An end state without action: how the run ends here.",
      examples: ["failure"],
    },
    outcome: {
      $ref: "#/definitions/text",
      description:
        "An expression that names the outcome, by which routes choose. Default: what the tool says, else success.",
      examples: ["size(result.items) == 0 ? 'empty' : 'items'"],
    },
    on_no_match: {
      description:
        "What to do when no branch or route matches. Default: hold, a person decides. fail fails the run, complete ends the path.",
      examples: ["complete"],
      enum: ["hold", "fail", "complete"],
    },
    on_missing_skill: {
      description: "The older name of on_missing_tool.",
      examples: ["skip"],
      enum: ["halt", "skip"],
    },
    fallback_skill: {
      $ref: "#/definitions/text",
      description: "The older name of fallback.",
      examples: ["backup.search"],
    },
    cancel: {
      description:
        "false: the run cannot be cancelled while this step is live. A name: the step that cleans up when the run is cancelled here.",
      examples: [false, "clean_up"],
      type: ["boolean", "string"],
    },
    attempt: {
      description: "Set by older engines while a step runs. It is read and means nothing.",
      examples: [1],
      type: "integer",
    },
  },
} as const;

export const step = {
  description: "One action, one transition, some policies.",
  examples: [{ tool: "search.query", args: { query: "{{ input.topic }}" }, next: "summarize" }],
  type: "object",
  allOf: [{ $ref: "#/definitions/stepBase" }],
  additionalProperties: false,
  properties: {
    next: {
      $ref: "#/definitions/target",
      description: "The step that follows; end ends this path.",
      examples: ["notify", "end"],
    },
    branch: {
      description: "Conditions, in order; the first that is true decides which step follows.",
      examples: [[{ if: "result == true", then: "admin_action" }]],
      type: "array",
      minItems: 1,
      items: { $ref: "#/definitions/branchCase" },
    },
    else: {
      $ref: "#/definitions/target",
      description: "The step that follows when no condition of branch is true.",
      examples: ["user_action"],
    },
    routes: { $ref: "#/definitions/routes" },
    on: {
      $ref: "#/definitions/routes",
      description: "Another name of routes. Some YAML tools read the key on as true, so prefer routes.",
      examples: [{ error: "alert" }],
    },
    on_error: {
      $ref: "#/definitions/target",
      description: "The step that follows when this one has failed for good. Short for routes with the one name error.",
      examples: ["alert"],
    },
    parallel: { $ref: "#/definitions/branches" },
    join: {
      $ref: "#/definitions/text",
      description:
        "The step that waits for all branches of the fork: on the last step of each branch, or beside parallel.",
      examples: ["merge"],
    },
    on_branch_error: {
      description:
        "What a failed branch of parallel means. Default: fail, the run fails. collect hands its error to the join.",
      examples: ["collect"],
      enum: ["fail", "collect"],
    },
    input_from: {
      $ref: "#/definitions/text",
      description: "The step whose result is previous here. Default: the step that led here.",
      examples: ["look"],
    },
  },
} as const;

export const branchCase = {
  description: "A condition and the step that follows when it is true.",
  examples: [{ if: "result == true", then: "admin_action" }],
  type: "object",
  required: ["if", "then"],
  additionalProperties: false,
  properties: {
    if: {
      $ref: "#/definitions/text",
      description: "The condition: an expression over result, input, steps and so on.",
      examples: ["result.count > 3"],
    },
    then: { $ref: "#/definitions/target", description: "The step that follows.", examples: ["admin_action", "end"] },
  },
} as const;

export const branches = {
  description: "Steps that start at once, each as the first of its own branch.",
  examples: [["fetch_news", "fetch_weather"]],
  type: "array",
  minItems: 1,
  uniqueItems: true,
  items: { $ref: "#/definitions/text" },
} as const;

export const routes = {
  description:
    "The step that follows, by the outcome's name. default takes what has no name here, except error, rejected, expired, timeout and cancelled.",
  examples: [{ items: "score", empty: "no_news", error: "alert" }],
  type: "object",
  propertyNames: { $ref: "#/definitions/outcomeName" },
  additionalProperties: { $ref: "#/definitions/target" },
} as const;
