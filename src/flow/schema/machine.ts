// Machines: states, and named transitions that move a run from one to another.

export const machine = {
  description: "A machine: states and the transitions between them. It moves only on events.",
  examples: [
    {
      format: "stepwell/v1",
      name: "review",
      states: { draft: { initial: true }, published: { terminal: "success" } },
      transitions: [{ name: "publish", from: "draft", to: "published" }],
    },
  ],
  type: "object",
  allOf: [{ $ref: "#/definitions/documentBase" }],
  required: ["states", "transitions"],
  additionalProperties: false,
  properties: {
    initial: {
      $ref: "#/definitions/text",
      description: "The state in which a run starts, instead of the flag initial on that state.",
      examples: ["draft"],
    },
    states: {
      description: "The states by name. One is initial; those that end a run are terminal.",
      examples: [{ draft: { initial: true }, published: { terminal: "success" } }],
      type: "object",
      additionalProperties: { $ref: "#/definitions/state" },
    },
    transitions: {
      description: "The moves from state to state.",
      examples: [[{ name: "publish", from: "draft", to: "published" }]],
      type: "array",
      items: { $ref: "#/definitions/transition" },
    },
  },
} as const;

export const state = {
  description: "A state of a machine.",
  examples: [{ initial: true }, { terminal: "success" }],
  type: "object",
  additionalProperties: false,
  properties: {
    initial: { description: "true: a run starts here.", examples: [true], type: "boolean" },
    terminal: {
      description: "The run ends here: success, failure or cancel; or true, with the kind beside it.",
      examples: ["success", "cancel"],
      anyOf: [{ $ref: "#/definitions/terminalKind" }, { type: "boolean" }],
    },
    kind: {
      $ref: "#/definitions/terminalKind",
      description: "How the run ends here, beside terminal: true.",
      examples: ["success"],
    },
    terminal_kind: {
      $ref: "#/definitions/terminalKind",
      description: "Another name of kind.",
      examples: ["success"],
    },
    label: { description: "What people see. Default: the state's key.", examples: ["In review"], type: "string" },
    description: {
      description: "What it means that a run is in this state.",
      examples: ["Two editors read the text."],
      type: "string",
    },
    metadata: { description: "Anything of your own.", examples: [{ colour: "blue" }], type: "object" },
  },
} as const;

export const transition = {
  description: "A named move from one state, or several, to another.",
  examples: [{ name: "submit", from: "draft", to: "review", guard: "data.pages > 0" }],
  type: "object",
  required: ["name", "from", "to"],
  additionalProperties: false,
  dependencies: { compensate: ["action"], on_error: ["action"] },
  properties: {
    name: { $ref: "#/definitions/text", description: "The event that fires it.", examples: ["submit"] },
    from: {
      description: "The state in which it can fire, or several.",
      examples: ["draft", ["draft", "review"]],
      anyOf: [{ type: "string" }, { type: "array", minItems: 1, items: { type: "string" } }],
    },
    to: { description: "The state it leads to.", examples: ["review"], type: "string" },
    guard: {
      $ref: "#/definitions/text",
      description: "An expression that must be true for it to fire.",
      examples: ["data.pages > 0"],
    },
    requires_reason: {
      description: "true: whoever fires it must give a reason.",
      examples: [true],
      type: "boolean",
    },
    set: {
      description: "Values that are merged into the machine's data when it fires.",
      examples: [{ reviewer: "{{ event.by }}" }],
      type: "object",
    },
    action: { $ref: "#/definitions/action" },
    compensate: {
      $ref: "#/definitions/call",
      description: "The call that undoes the action when the run fails or is cancelled later.",
      examples: [{ tool: "cms.unpublish", args: {} }],
    },
    on_error: {
      description: "The state to go to when the action fails for good. Default: the run stays where it is.",
      examples: ["broken"],
      type: "string",
    },
    after: {
      $ref: "#/definitions/duration",
      description: "Fires by itself when the run has been in the state for this time, once per stay.",
      examples: ["24h"],
    },
    description: { description: "What the move means.", examples: ["The author is done."], type: "string" },
  },
} as const;

export const action = {
  description: "A tool call on the way; the run stays in its state until the call is done.",
  examples: [{ tool: "cms.publish", args: { id: "{{ data.id }}" } }],
  type: "object",
  allOf: [{ $ref: "#/definitions/callPolicy" }],
  required: ["tool"],
  additionalProperties: false,
  properties: {
    tool: {
      $ref: "#/definitions/text",
      description: "The tool to call: the server's key and the tool's name, or a name that just one tool has.",
      examples: ["cms.publish"],
    },
    args: { $ref: "#/definitions/args" },
  },
} as const;
