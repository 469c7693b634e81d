// Workflows and runs as resources, under our own scheme and under that of the seeds.

import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { toRunDocument, toWholeDocument } from "../document/run.ts";
import { toWholeWorkflow, toWorkflowDocument } from "../document/workflow.ts";
import { allow, type Caller } from "./caller.ts";
import { toProtocolError } from "./failure.ts";
import { fitText } from "./fit.ts";
import type { House } from "./house.ts";
import { findRun } from "./tool.ts";

const schemes: readonly string[] = ["stepwell", "alexclaw"];
const mimeType = "application/json";
/** So many runs are in the list of them. */
const runsMax = 50;

type Connection = { readonly server: Server; readonly house: House; readonly caller: Caller };

export function addResources({ server, house, caller }: Connection): void {
  server.setRequestHandler("resources/list", () => ({
    resources: caller.rights.has("read")
      ? schemes.flatMap((scheme) => [
          { uri: `${scheme}://workflows/list`, name: "workflows", title: "Saved workflows", mimeType },
          { uri: `${scheme}://runs/list`, name: "runs", title: `The ${runsMax} newest runs`, mimeType },
        ])
      : [],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: schemes.flatMap((scheme) => [
      { uriTemplate: `${scheme}://workflows/{id}`, name: "workflow", title: "A saved workflow", mimeType },
      { uriTemplate: `${scheme}://runs/{id}`, name: "run", title: "A run with its steps", mimeType },
    ]),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    try {
      allow(caller, "read");
      const text = fitText(
        JSON.stringify(await read(caller, uri)),
        "The tools run_list, run_get and run_history tell less at once.",
      );
      return { contents: [{ uri, mimeType, text }] };
    } catch (error) {
      if (isAbsence(error)) throw new ResourceNotFoundError(uri);
      throw toProtocolError(error, house.onProblem);
    }
  });
}

const shape = /^(?:stepwell|alexclaw):\/\/(workflows|runs)\/([^/?#]+)$/u;

async function read({ engine }: Caller, uri: string): Promise<Json> {
  const [, kind, part = ""] = shape.exec(uri) ?? [];
  const id = decodePart(part);
  if (kind === undefined || id === undefined) throw new StepwellError("NO_SUCH_ROUTE", `There is nothing at ${uri}.`);
  if (kind === "runs") {
    if (id === "list") return (await engine.list({ status: "all", limitMax: runsMax })).map(toRunDocument);
    const { steps, ...run } = await engine.get(await findRun(engine, id));
    return toWholeDocument({ run, flow: run.flow, updatedAt: run.updatedAt, rows: steps });
  }
  if (id === "list") return (await engine.workflows.list()).map(toWorkflowDocument);
  return toWholeWorkflow(await engine.workflows.get(/^\d{1,15}$/u.test(id) ? Number(id) : id));
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const absences: ReadonlySet<string> = new Set(["RUN_NOT_FOUND", "WORKFLOW_NOT_FOUND", "NO_SUCH_ROUTE"]);

function isAbsence(error: unknown): boolean {
  return error instanceof StepwellError && absences.has(error.code);
}
