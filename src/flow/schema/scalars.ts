// Small values that many constructs share. Each `title` completes the sentence "… must be".

export const format = {
  title: '"stepwell/v1"',
  description: "The version of the flow language in which this document is written.",
  examples: ["stepwell/v1"],
  const: "stepwell/v1",
} as const;

export const duration = {
  title: 'a duration with its unit, such as "30s", "5m", "1h30m" or "2 days"',
  description: "A length of time: whole numbers or decimals with their units, the largest first, or ISO 8601.",
  examples: ["30s", "1h30m"],
  type: "string",
  // For editors; the shape check asks the parser, which also knows the order of units and the limit.
  pattern:
    "^\\s*(?:(?:\\d+(?:\\.\\d{1,3})? *(?:ms|milliseconds?|w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?: *(?=\\d))?)+|P(?=[\\dT])(?:\\d+W)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+(?:\\.\\d{1,3})?S)?)?)\\s*$",
} as const;

export const template = {
  title: 'an expression in double braces, such as "{{ previous }}"',
  description: "A text with an expression in double braces. Alone in the text, the value keeps its type.",
  examples: ["{{ previous }}"],
  type: "string",
  pattern: "\\{\\{",
} as const;

export const text = {
  title: "a text that is not empty",
  description: "A text that is not empty.",
  examples: ["Refund"],
  type: "string",
  minLength: 1,
} as const;

export const approver = {
  title: 'a person or a group, such as "user:ann" or "group:finance"',
  description: "Who may answer a gate: a person or a group.",
  examples: ["user:ann", "group:finance"],
  type: "string",
  pattern: "^(user|group):.+$",
} as const;

export const outcomeName = {
  title: "an outcome's name: small letters, digits and _, a letter first, 40 characters at most",
  description: "The name of an outcome; the prefix on_ may stand before it.",
  examples: ["empty", "on_error"],
  type: "string",
  pattern: "^(?:on_)?(?!on_)[a-z][a-z0-9_]{0,39}$",
} as const;

export const terminalKind = {
  description: "How a run ends: success, failure or cancel.",
  examples: ["success"],
  enum: ["success", "failure", "cancel"],
} as const;

export const target = {
  description: "The name of the step that follows, or end.",
  examples: ["notify", "end"],
  type: "string",
} as const;

export const positionOrTarget = {
  description: "The position or the name of the step that follows, or end.",
  examples: [2, "notify", "end"],
  type: ["string", "integer"],
} as const;

export const jsonSchema = {
  description: "A JSON Schema, draft 2020-12.",
  examples: [{ type: "object", required: ["order"], properties: { order: { type: "string" } } }],
  type: ["object", "boolean"],
} as const;
