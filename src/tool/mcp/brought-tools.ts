// Tools of servers on their way into the box: never in the place of a tool that somebody else has put there.

import { StepwellError } from "../../error.ts";
import type { OpenToolBox } from "../registry.ts";
import type { Tool } from "../tool.ts";

export class BroughtTools {
  readonly #box: OpenToolBox;
  readonly #tell: (error: StepwellError) => void;
  /** Names in the box that each server has brought. */
  readonly #brought = new Map<string, ReadonlySet<string>>();
  /** Tools whose names were taken. */
  readonly #told = new Set<string>();

  constructor(box: OpenToolBox, tell: (error: StepwellError) => void) {
    this.#box = box;
    this.#tell = tell;
  }

  /** These are all that the server has now. */
  bring(server: string, tools: readonly Tool[]): void {
    const before = this.#brought.get(server) ?? new Set<string>();
    const own = tools.filter(({ name }) => before.has(name) || this.#box.find(name)?.name !== name);
    for (const { name } of tools)
      if (!own.some((tool) => tool.name === name) && !this.#told.has(name)) this.#tellTaken(name);
    this.#box.load(own);
    const now = new Set(own.map(({ name }) => name));
    for (const name of before) if (!now.has(name)) this.#box.unload(name);
    this.#brought.set(server, now);
  }

  /** The server is gone. */
  drop(server: string): void {
    this.bring(server, []);
    this.#brought.delete(server);
  }

  #tellTaken(name: string): void {
    this.#told.add(name);
    const message = `The program has a tool "${name}" of its own; that of the server is not used.`;
    this.#tell(new StepwellError("TOOL_SERVER_TROUBLE", message));
  }
}
