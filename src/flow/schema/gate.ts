// A step that waits for the answer of a person.

export const gate = {
  description: "Waits for a person or an event. Outcomes: approved, rejected, expired, or any name in routes.",
  examples: [{ title: "Refund {{ input.order }}?", approvers: ["group:finance"], expires_after: "2d" }],
  type: "object",
  additionalProperties: false,
  dependencies: {
    escalate_after: ["escalate_to"],
    escalate_to: ["escalate_after"],
    on_expire: ["expires_after"],
  },
  properties: {
    title: {
      description: "What is asked, in a few words.",
      examples: ["Refund {{ input.order }}?"],
      type: "string",
    },
    message: {
      description: "What the person should know before answering.",
      examples: ["The customer paid {{ steps.look.result.amount }}."],
      type: "string",
    },
    form: {
      $ref: "#/definitions/jsonSchema",
      description: "A JSON Schema of the answer; the page draws a form from it.",
      examples: [{ type: "object", properties: { comment: { type: "string" } } }],
    },
    approvers: {
      description: "Who may answer. Default: everybody who may approve in this installation.",
      examples: [["user:ann", "group:finance"]],
      type: "array",
      minItems: 1,
      items: { $ref: "#/definitions/approver" },
    },
    need: {
      description: "How many different people must approve. Default: 1. One rejection rejects.",
      examples: [2],
      type: "integer",
      minimum: 1,
    },
    self_approval: {
      description: "Whether the person who started the run may approve. Default: true.",
      examples: [false],
      type: "boolean",
    },
    notify: {
      $ref: "#/definitions/call",
      description: "The call that tells people that the gate is open.",
      examples: [{ tool: "chat.send", args: { text: "Please have a look." } }],
    },
    remind_after: {
      $ref: "#/definitions/duration",
      description: "Notify again after this time, ten times at most. Default: never.",
      examples: ["4h"],
    },
    escalate_after: {
      $ref: "#/definitions/duration",
      description: "Start the step escalate_to after this time; the gate stays open. Default: never.",
      examples: ["24h"],
    },
    escalate_to: {
      $ref: "#/definitions/text",
      description: "The step that starts beside the gate when nobody answered in time.",
      examples: ["tell_manager"],
    },
    expires_after: {
      $ref: "#/definitions/duration",
      description: "Close the gate after this time. Default: never.",
      examples: ["2d"],
    },
    on_expire: {
      $ref: "#/definitions/outcomeName",
      description: "The outcome of a gate that expired. Default: expired. It cannot be approved: silence is no yes.",
      examples: ["rejected"],
    },
  },
} as const;
