// `outcomes.query`: what became of earlier calls, and what people thought of it, so that a flow can learn from the past.

import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import { defineTool, ToolError, type ToolContext } from "../function.ts";
import type { OutcomeAsk, Tool } from "../tool.ts";
import { badArguments, readCount, readTextOr } from "./arguments.ts";
import { listOf, open, optional, text, whole } from "./schema.ts";

const qualities = ["up", "down", "neutral"] as const;
const limit = { min: 1, max: 100, otherwise: 20 } as const;

export function createOutcomesTool(): Tool {
  return defineTool({
    name: "outcomes.query",
    description: "What became of earlier calls, newest first, with what people thought of it",
    effect: "read",
    input: optional({
      tool: text("Of this tool; of all unless given"),
      workflow: text("In runs of this workflow; of all unless given"),
      quality: { type: "string", enum: [...qualities], description: "Rated like this; neutral: not rated" },
      limit: whole("How many; 20 unless given", { minimum: limit.min, maximum: limit.max }),
    }),
    output: listOf(open({}), "Each with tool, quality, feedback, duration_ms, snapshot, outcome, error"),
    call: (input, context: ToolContext) => query(readAsk(input), context),
  });
}

function readAsk(input: JsonObject): OutcomeAsk {
  const [tool, workflow] = [readTextOr(input, "tool", ""), readTextOr(input, "workflow", "")];
  const wanted = readTextOr(input, "quality", "");
  const quality = qualities.find((each) => each === wanted);
  if (wanted !== "" && quality === undefined) throw badArguments(`"quality" must be ${qualities.join(", ")}.`);
  return {
    ...(tool === "" ? {} : { tool }),
    ...(workflow === "" ? {} : { workflow }),
    ...(quality === undefined ? {} : { quality }),
    limitMax: readCount(input, "limit", limit),
  };
}

async function query(ask: OutcomeAsk, { outcomes }: ToolContext): Promise<readonly JsonObject[]> {
  if (outcomes === undefined)
    throw new ToolError({ code: "tool_off", message: "Nobody keeps outcomes here.", isFinal: true });
  try {
    return await outcomes(ask);
  } catch (error) {
    if (!(error instanceof StepwellError) || error.code !== "NOT_ALLOWED") throw error;
    throw new ToolError({ code: "not_allowed", message: error.message, isFinal: true, cause: error });
  }
}
