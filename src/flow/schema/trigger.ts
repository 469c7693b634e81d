// What starts a workflow by itself.

export const trigger = {
  description: "A schedule or a webhook that starts the workflow.",
  examples: [{ cron: "0 8 * * 1-5", zone: "Europe/Berlin" }, { webhook: "refund" }],
  anyOf: [{ $ref: "#/definitions/cronTrigger" }, { $ref: "#/definitions/webhookTrigger" }],
} as const;

export const cronTrigger = {
  description: "Starts the workflow by the clock.",
  examples: [{ cron: "0 8 * * 1-5", zone: "Europe/Berlin", missed: "once", overlap: "skip" }],
  type: "object",
  required: ["cron"],
  additionalProperties: false,
  properties: {
    cron: {
      $ref: "#/definitions/text",
      description: "When: minute, hour, day of the month, month, day of the week.",
      examples: ["0 8 * * 1-5"],
    },
    zone: {
      $ref: "#/definitions/text",
      description: "The time zone of the schedule. Default: the engine's.",
      examples: ["Europe/Berlin"],
    },
    missed: {
      description: "What happens with starts that fell due while the engine was down. Default: once.",
      examples: ["once"],
      enum: ["skip", "once", "all"],
    },
    overlap: {
      description: "What happens when the run before is still going. Default: skip.",
      examples: ["skip"],
      enum: ["skip", "queue", "allow"],
    },
  },
} as const;

export const webhookTrigger = {
  description: "Starts the workflow when its address is called.",
  examples: [{ webhook: "refund" }],
  type: "object",
  required: ["webhook"],
  additionalProperties: false,
  properties: {
    webhook: {
      $ref: "#/definitions/text",
      description: "The last part of the address that starts the workflow.",
      examples: ["refund"],
    },
  },
} as const;
