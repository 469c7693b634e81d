// Skeletons that editors offer where a whole step, state or document is to be written.

import type { Json } from "../json.ts";

export const snippets: { readonly [definition: string]: readonly Json[] } = {
  step: [
    {
      label: "tool step",
      description: "Calls a tool, then goes on.",
      body: { tool: "${1:server.tool}", args: {}, next: "${2:step}" },
    },
    {
      label: "gate step",
      description: "Waits for a person.",
      body: { gate: { title: "${1:Go on?}" }, routes: { approved: "${2:step}", rejected: "${3:end}" } },
    },
    { label: "wait step", description: "Sleeps, then goes on.", body: { wait: "${1:30m}", next: "${2:step}" } },
  ],
  pipelineStep: [
    {
      label: "tool step",
      description: "Calls a tool with the result of the step before.",
      body: { tool: "${1:server.tool}" },
    },
  ],
  transition: [
    { label: "transition", description: "A move from state to state.", body: { name: "$1", from: "$2", to: "$3" } },
  ],
};
