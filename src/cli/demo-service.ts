// The demo of a service in another terminal or on another machine, and the end of the demo workflows, there or in a store.

import type { Call } from "./command.ts";
import { openSession, type Session } from "./session.ts";
import { findStore, showStore } from "./view.ts";
import { urlOf, visitServer } from "./server-place.ts";

type Wish = Pick<Call, "values" | "surroundings" | "out">;

/** Its plug is pulled while a run is under way, which is followed until it has ended all the same. */
export async function crashService(url: string, call: Call): Promise<number> {
  const [{ waitForRun }, { openScreen }, { compile }, { readDemo }] = await Promise.all([
    import("./wait.ts"),
    import("./screen.ts"),
    import("../flow/validate/compile.ts"),
    import("../server/demo-workflows.ts"),
  ]);
  // Before it is gone: whoever knows it already waits for it to come back.
  const { client, user } = await visitServer(url, call);
  const stop = (): Promise<void> => client.stop();
  await using session: Session = {
    engine: client,
    store: showStore(client.url),
    user,
    stop,
    [Symbol.asyncDispose]: stop,
  };
  using screen = openScreen(call);
  const run = await client.demo.crash();
  screen.say(`The service is killed in the middle of run ${run}; watch it go on when another one is up.`);
  const plan = compile(readDemo("survivor"));
  return await waitForRun({ ...call, session, run, plan, screen, timeoutMs: undefined, exitOnWait: false });
}

export async function cleanDemoWorkflows(wish: Wish): Promise<number> {
  const { removed, kept } = await clean(wish);
  wish.out.tell({
    document: { removed, kept },
    ids: removed,
    lines: () => [
      removed.length === 0 ? "There are no demo workflows to delete." : `Deleted: ${removed.join(", ")}`,
      ...(kept.length === 0 ? [] : [`Kept, since somebody has changed them: ${kept.join(", ")}`]),
    ],
  });
  return 0;
}

async function clean(wish: Wish): Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }> {
  const url = urlOf(wish);
  if (url === undefined) {
    const { cleanDemos } = await import("../server/demo-workflows.ts");
    const { findConfig } = await import("./config.ts");
    // The tour does without, but which store is meant the project may say.
    const config = await findConfig(wish.surroundings.environment);
    const told = { ...wish, surroundings: { ...wish.surroundings, config } };
    await findStore(told);
    await using session = await openSession(told);
    return await cleanDemos(session.engine);
  }
  const { client } = await visitServer(url, wish);
  try {
    return await client.demo.clean();
  } finally {
    await client.stop();
  }
}
