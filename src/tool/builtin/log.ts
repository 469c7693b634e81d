// Tools that say something. `notify.inbox` is there only where somebody listens: a message to nobody would be a lie.

import type { JsonObject } from "../../flow/json.ts";
import { defineTool, type ToolContext } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments } from "./arguments.ts";
import { toText } from "./plain-text.ts";
import { open, text } from "./schema.ts";

/** Where the program that runs the engine shows what tools say. */
export type Voice = (text: string) => void;

/** Longer ones are cut: a log is read by people. */
const messageLengthMax = 10_000;

const input: JsonObject = open({
  message: { description: "A text; of anything else, what people would read of it" },
});

export function createLogTools(say: Voice | undefined): readonly Tool[] {
  const log = defineTool({
    name: "log",
    description: "Says a message; it is kept with the run",
    effect: "idempotent",
    input,
    output: text("The message"),
    call: (args, context: ToolContext) => {
      refuseSecrets(context);
      const message = messageOf(args);
      context.log(message);
      say?.(message);
      return message;
    },
  });
  return say === undefined ? [log] : [log, createNoticeTool(say)];
}

function createNoticeTool(say: Voice): Tool {
  return defineTool({
    name: "notify.inbox",
    description: "Tells whoever watches the program",
    effect: "idempotent",
    input,
    output: text("The message"),
    call: (args, context: ToolContext) => {
      refuseSecrets(context);
      const message = messageOf(args);
      say(message);
      return message;
    },
  });
}

/** What is said aloud is heard before anybody could take a secret out of it. */
function refuseSecrets({ secretPlaces = [] }: ToolContext): void {
  if (secretPlaces.length > 0) throw badArguments("A secret cannot be part of a message; nothing was said.");
}

/** In a pipeline the whole of what is handed on is the message. */
function messageOf(args: JsonObject): string {
  const message = toText(args["message"] ?? args["input"] ?? args);
  return message.length <= messageLengthMax ? message : `${message.slice(0, messageLengthMax).toWellFormed()}…`;
}
