// A tool call and the policies that every call may have.

export const call = {
  description: "A tool to call, with its arguments.",
  examples: [{ tool: "mail.send", args: { to: "{{ input.email }}" } }],
  type: "object",
  required: ["tool"],
  additionalProperties: false,
  properties: {
    tool: {
      $ref: "#/definitions/text",
      description: "The tool to call: the server's key and the tool's name, or a name that just one tool has.",
      examples: ["mail.send"],
    },
    args: { $ref: "#/definitions/args" },
  },
} as const;

export const args = {
  description: "The arguments of the call. Texts may hold {{ expressions }}, at any depth.",
  examples: [{ query: "{{ input.topic }}" }, "{{ previous }}"],
  anyOf: [{ type: "object" }, { $ref: "#/definitions/template" }],
} as const;

export const callPolicy = {
  type: "object",
  properties: {
    retry: { $ref: "#/definitions/retry" },
    timeout: {
      $ref: "#/definitions/duration",
      description:
        "How long one attempt may take. Tool calls have 120s unless the flow's defaults say otherwise; gates, waits and sub-flows have no limit unless it is given here.",
      examples: ["120s", "5m"],
    },
    effect: {
      description:
        "What the call does outside: read changes nothing, idempotent may be repeated with the same key, write must not happen twice.",
      examples: ["read"],
      enum: ["read", "idempotent", "write"],
    },
    on_unknown: {
      description:
        "What to do when nobody knows whether the call happened. Default: ask a person for a write, else retry.",
      examples: ["ask"],
      enum: ["ask", "retry", "fail"],
    },
    probe: {
      $ref: "#/definitions/call",
      description: "A call that finds out whether the first one happened, before a person is asked.",
      examples: [{ tool: "bank.find_payment", args: { key: "{{ input.order }}" } }],
    },
    idempotency_key: {
      $ref: "#/definitions/text",
      description: "The key that is sent with every attempt. Default: made from the run, the step and the visit.",
      examples: ["refund-{{ input.order }}"],
    },
    on_circuit_open: {
      description:
        "What to do while the tool's circuit breaker is open. Default: halt, which fails the step. skip passes the step's input on, fallback calls the fallback tool.",
      examples: ["skip"],
      enum: ["halt", "skip", "fallback"],
    },
    on_missing_tool: {
      description: "What to do when there is no such tool at run time. Default: halt, which fails the step.",
      examples: ["skip"],
      enum: ["halt", "skip"],
    },
    fallback: {
      $ref: "#/definitions/text",
      description: "The tool that is called instead when on_circuit_open is fallback.",
      examples: ["backup.search"],
    },
    sanitize: {
      description:
        "What to do with hidden text and planted instructions in the result. Default: strip for external tools, off for others.",
      examples: ["flag"],
      enum: ["flag", "strip", "block", "off"],
    },
    compensate: {
      $ref: "#/definitions/call",
      description: "The call that undoes this one when the run fails or is cancelled later.",
      examples: [{ tool: "bank.cancel_payment", args: { payment: "{{ result.id }}" } }],
    },
  },
} as const;
