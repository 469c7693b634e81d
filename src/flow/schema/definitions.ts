// All parts of the language by the name under which `$ref` finds them: the name of the constant is the name of the
// definition.

import * as alexclaw from "./alexclaw.ts";
import * as call from "./call.ts";
import * as document from "./document.ts";
import * as gate from "./gate.ts";
import * as machine from "./machine.ts";
import * as pipelineStep from "./pipeline-step.ts";
import * as retry from "./retry.ts";
import * as scalars from "./scalars.ts";
import * as stepKind from "./step-kind.ts";
import * as step from "./step.ts";
import * as trigger from "./trigger.ts";

export type Definitions = typeof alexclaw &
  typeof call &
  typeof document &
  typeof gate &
  typeof machine &
  typeof pipelineStep &
  typeof retry &
  typeof scalars &
  typeof step &
  typeof stepKind &
  typeof trigger;

export const definitions: Definitions = {
  ...alexclaw,
  ...call,
  ...document,
  ...gate,
  ...machine,
  ...pipelineStep,
  ...retry,
  ...scalars,
  ...step,
  ...stepKind,
  ...trigger,
};
