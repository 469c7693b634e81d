// How often a step is tried, and when again.

export const retry = {
  description:
    "How a failed call is tried again. Default: 3 attempts after 5s, 30s and 60s in flows, 1 attempt in pipelines and machines. classic waits 30s, 2m, 5m; false tries once.",
  examples: [{ attempts: 5, backoff: ["1s", "10s", "1m"] }, "classic", false],
  anyOf: [{ $ref: "#/definitions/retryPolicy" }, { const: "classic" }, { const: false }],
} as const;

export const retryPolicy = {
  description: "The number of attempts and the pauses between them.",
  examples: [{ attempts: 5, backoff: ["1s", "10s", "1m"], jitter: 0.1 }],
  type: "object",
  additionalProperties: false,
  properties: {
    attempts: {
      description: "Tries in all, the first one included.",
      examples: [3],
      type: "integer",
      minimum: 1,
    },
    backoff: {
      description:
        "The pause before each further attempt: a list, whose last value repeats, or a base that grows by a factor.",
      examples: [["5s", "30s", "60s"], { base: "1s", factor: 2, max: "5m" }],
      anyOf: [
        { type: "array", minItems: 1, items: { $ref: "#/definitions/duration" } },
        { $ref: "#/definitions/exponentialBackoff" },
      ],
    },
    jitter: {
      description: "The share by which a pause may grow at random: 0.1 is up to a tenth longer, never shorter.",
      examples: [0.1],
      type: "number",
      minimum: 0,
      maximum: 1,
    },
  },
} as const;

export const exponentialBackoff = {
  description: "A pause that grows by a factor from one attempt to the next.",
  examples: [{ base: "1s", factor: 2, max: "5m" }],
  type: "object",
  required: ["base"],
  additionalProperties: false,
  properties: {
    base: { $ref: "#/definitions/duration", description: "The first pause.", examples: ["1s"] },
    factor: {
      description: "By how much each pause is longer than the one before. Default: 2.",
      examples: [2],
      type: "number",
      minimum: 1,
    },
    max: { $ref: "#/definitions/duration", description: "No pause is longer than this.", examples: ["5m"] },
  },
} as const;
