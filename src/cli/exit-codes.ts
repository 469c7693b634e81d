// Every exit code there is, and what it means: `stepwell help exit-codes`, docs/cli.md and src/error.ts agree with it.

export const exitCodes: ReadonlyMap<number, string> = new Map([
  [0, "it worked; the run completed"],
  [1, "the run failed, or something unexpected happened"],
  [2, "the command was not understood"],
  [3, "there is no such file, store, workflow, run or step"],
  [4, "who asks may not do that"],
  [5, "the store cannot be used"],
  [6, "the flow or its input is wrong"],
  [7, "the run was cancelled"],
  [8, "the wait timed out; the run goes on"],
  [9, "the run waits for a person (only with --exit-on-wait)"],
  [10, "refused: somebody was quicker, or the state does not allow it"],
  [130, "interrupted"],
]);

/** Of what a command answers by itself, without an error. */
export const endedExitCodes = { ok: 0, failed: 1, cancelled: 7, timedOut: 8, waiting: 9, interrupted: 130 } as const;
