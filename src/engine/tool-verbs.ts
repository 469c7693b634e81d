// What a program asks of the tools: which there are, and to call one. A call is a run of one step, so that permissions,
// breakers and secrets hold, and that it is known afterwards who called what.

import type { Right } from "../access/permission.ts";
import { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import type { Failure, Row, RunId } from "../run/model.ts";
import { describeUnknownTool, type LoadedTools, type OpenToolBox, type Tools } from "../tool/registry.ts";
import type { Tool } from "../tool/tool.ts";
import type { Started } from "./request.ts";
import { toTimeoutMs, type TimeoutOptions } from "./timeout.ts";
import type { RunResult } from "./waiters.ts";

/** A tool without the means to call it past the engine. */
export type ToolView = Omit<Tool, "call">;

/** With how long to wait for it; the call goes on. */
export type ToolCallOptions = TimeoutOptions & { readonly as?: string };

export type ToolCallResult = {
  /** The run that it was. */
  readonly run: RunId;
  readonly result: Json;
  readonly outcome: string | null;
  /** null: it worked. */
  readonly error: Failure | null;
};

export type ToolVerbsParts = {
  readonly tools: OpenToolBox;
  readonly isOwner: boolean;
  /** Throws for all but the program itself. */
  readonly refuseUsers: () => void;
  /** Asks who keeps the breakers. */
  readonly askBreakers: (ask: { readonly do: "reset" | "remove"; readonly tool: string }) => Promise<Json>;
  readonly allow: (right: Right) => Promise<void>;
  readonly start: (flow: Json, options: { readonly name: string; readonly as?: string }) => Promise<Started>;
  /** Of a run that was started here. */
  readonly result: (run: RunId, timeoutMs: number | undefined) => Promise<RunResult>;
  readonly rowsOf: (run: RunId) => Promise<readonly Row[]>;
};

export class ToolVerbs {
  readonly #parts: ToolVerbsParts;

  constructor(parts: ToolVerbsParts) {
    this.#parts = parts;
  }

  /** Those of this process; another one that owns the store may have others. */
  async list(): Promise<readonly ToolView[]> {
    await this.#parts.allow("read");
    return this.#parts.tools.list().map(toView);
  }

  async get(name: string): Promise<ToolView> {
    const { allow, tools } = this.#parts;
    await allow("read");
    const tool = tools.find(name);
    if (tool === undefined) throw new StepwellError("TOOL_NOT_FOUND", describeUnknownTool(tools, name));
    return toView(tool);
  }

  /** From now on steps call these; those of the same name are replaced, and their breakers are as new. Calls under way
   *  finish with what they were made of. Resolves when the breakers are on disk. */
  async load(tools: Tools): Promise<LoadedTools> {
    const { tools: box, refuseUsers } = this.#parts;
    refuseUsers();
    const loaded = box.load(tools);
    await Promise.all(loaded.replaced.map((tool) => this.#tellBreakers("reset", tool)));
    return loaded;
  }

  /** From now on it is missing, and its breaker has gone. False: there was none of this name. */
  async unload(name: string): Promise<boolean> {
    const { tools, refuseUsers } = this.#parts;
    refuseUsers();
    const gone = tools.unload(name);
    if (gone !== undefined) await this.#tellBreakers("remove", gone.name);
    return gone !== undefined;
  }

  /** Breakers are about the tools of the owner: what a guest has is not called. */
  async #tellBreakers(what: "reset" | "remove", tool: string): Promise<void> {
    const { isOwner, askBreakers } = this.#parts;
    if (isOwner) await askBreakers({ do: what, tool });
  }

  /** Once, without further tries. Texts in its arguments may hold placeholders, such as `{{ secrets.API_KEY }}`. */
  async call(tool: string, args: JsonObject = {}, options: ToolCallOptions = {}): Promise<ToolCallResult> {
    const { tools, isOwner, allow, start, result, rowsOf } = this.#parts;
    const timeoutMs = toTimeoutMs(options);
    await allow("start");
    if (isOwner && tools.find(tool) === undefined)
      throw new StepwellError("INPUT_INVALID", describeUnknownTool(tools, tool), { details: { code: "unknown_tool" } });
    const flow = {
      format: "stepwell/v1",
      steps: { call: { tool, args, retry: false, on_unknown: "fail", done: true } },
    };
    const { as } = options;
    const { id: run } = await start(flow, { name: `call ${tool}`, ...(as === undefined ? {} : { as }) }).catch(
      asArguments,
    );
    const { output, error } = await result(run, timeoutMs);
    const row = (await rowsOf(run)).at(-1);
    return { run, result: output, outcome: row?.outcome ?? null, error };
  }
}

function toView({ name, description, effect, input, output, outcomes, server }: Tool): ToolView {
  const view = { name, description, effect, input, output, outcomes };
  return server === undefined ? view : { ...view, server };
}

/** Whoever calls a tool has written arguments, and no flow. */
function asArguments(error: unknown): never {
  if (!(error instanceof StepwellError) || error.code !== "FLOW_INVALID") throw error;
  const { findings }: { readonly findings: readonly { readonly message: string }[] } = {
    findings: [],
    ...error.details,
  };
  const message = findings.map((found) => found.message).join(" ");
  throw new StepwellError("INPUT_INVALID", message === "" ? error.message : message, { details: { code: "bad_args" } });
}
