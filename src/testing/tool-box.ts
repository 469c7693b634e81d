// The tools of a test engine, watched: a function of the test's own may take real time, and nothing has come to rest while
// it works. A fake tool that hangs on purpose is not waited for.

import { defineTool } from "../tool/function.ts";
import type { OpenToolBox } from "../tool/registry.ts";
import type { CallContext, Tool, ToolAnswer } from "../tool/tool.ts";
import { controlsOf, type FakeControls } from "./fake-tool.ts";

export type CallWatch = {
  readonly box: OpenToolBox;
  /** Resolves when a call that is worked on is over; undefined: none is. */
  readonly working: () => Promise<void> | undefined;
  /** The process has died: nobody waits for its calls. */
  readonly forget: () => void;
};

type Call = { readonly tool: string; readonly context: CallContext; readonly over: Promise<void> };

/** Real time. A tool of a test that has not answered by then hangs, and whoever waits for it would hang as well. */
const patienceMs = 5000;

/** `useFake`: told of each fake tool that is loaded later. */
export function watchCalls(
  tools: OpenToolBox,
  given: readonly FakeControls[],
  useFake: (fake: FakeControls) => void,
): CallWatch {
  const fakes = [...given];
  const calls = new Set<Call>();
  const watched = new WeakMap<Tool, Tool>();
  const watch = (tool: Tool): Tool => {
    const known = watched.get(tool);
    if (known !== undefined) return known;
    const made = { ...tool, call: (context: CallContext) => follow(tool, context) };
    watched.set(tool, made);
    return made;
  };
  const follow = (tool: Tool, context: CallContext): ToolAnswer | Promise<ToolAnswer> => {
    const answer = tool.call(context);
    if (!(answer instanceof Promise)) return answer;
    const call: Call = { tool: tool.name, context, over: answer.then(noop, noop).then(() => void calls.delete(call)) };
    calls.add(call);
    return answer;
  };
  return {
    box: {
      find: (name) => {
        const found = tools.find(name);
        return found === undefined ? undefined : watch(found);
      },
      list: () => tools.list().map(watch),
      load: (loaded) => {
        for (const fake of Object.values(loaded).flatMap((tool) => controlsOf(tool) ?? [])) {
          fakes.push(fake);
          useFake(fake);
        }
        return tools.load(loaded);
      },
      unload: (name) => tools.unload(name),
      get revision() {
        return tools.revision;
      },
    },
    working: () => {
      // One that was told to stop and goes on is nobody's business any more.
      const wanted = [...calls].filter(({ context }) => !context.signal.aborted);
      const worked = wanted.filter(({ context }) => !fakes.some((fake) => fake.isHolding(context)));
      return worked.length === 0 ? undefined : waitForOne(worked, (call) => void calls.delete(call));
    },
    forget: () => {
      calls.clear();
      for (const fake of fakes) fake.cutOff();
    },
  };
}

function noop(): void {}

async function waitForOne(calls: readonly Call[], giveUp: (call: Call) => void): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<"passed">();
  const timer = setTimeout(() => resolve("passed"), patienceMs);
  const first = await Promise.race([passed, ...calls.map(({ over }) => over)]);
  clearTimeout(timer);
  if (first !== "passed") return;
  for (const call of calls) {
    giveUp(call);
    process.emitWarning(
      `The tool "${call.tool}" has not answered for ${patienceMs / 1000} s; it is no longer waited for. If it is to hang, use fakeTool("${call.tool}", never()).`,
      { type: "StepwellWarning" },
    );
  }
}

/** Any tool that is missing answers with its arguments. */
export function withEchoes(tools: OpenToolBox): OpenToolBox {
  const echoes = new Map<string, Tool>();
  const echo = (name: string): Tool => {
    const made = echoes.get(name) ?? defineTool({ name, call: (input) => input });
    echoes.set(name, made);
    return made;
  };
  return {
    find: (name) => tools.find(name) ?? echo(name),
    list: () => tools.list(),
    load: (loaded) => tools.load(loaded),
    unload: (name) => tools.unload(name),
    get revision() {
      return tools.revision;
    },
  };
}
