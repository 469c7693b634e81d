// How large each workload is. `full` is what the figures are made with, and W1–W4 are as large there as the peers' are.

export type Sizes = {
  readonly repeats: number;
  readonly quietMs: number;
  /** Unmeasured ten-step runs before the first repetition: as many have run in the peers' harness before its W1. */
  readonly warmRuns: number;
  readonly chainRuns: number;
  readonly steps: number;
  readonly soloRuns: number;
  readonly branches: readonly number[];
  readonly shortRuns: number;
  readonly memoryRepeats: number;
  readonly limitMs: number;
  readonly finishedRuns: readonly number[];
  readonly scheduledRuns: number;
  readonly dueRuns: number;
  /** From now: all of them are on disk by then. */
  readonly dueInMs: number;
  readonly items: readonly number[];
  readonly budgetSteps: number;
  readonly budgetBytes: number;
};

export const fullSizes: Sizes = {
  repeats: 3,
  // As the peers take it from the environment; they wait as long.
  quietMs: Number(process.env["QUIET_S"] ?? 15) * 1000,
  warmRuns: 150,
  chainRuns: 1000,
  steps: 10,
  soloRuns: 200,
  branches: [100, 1000, 10_000],
  shortRuns: 1000,
  memoryRepeats: 5,
  limitMs: 2000,
  finishedRuns: [1000, 100_000, 1_000_000],
  scheduledRuns: 1_000_000,
  dueRuns: 1000,
  dueInMs: 3000,
  items: [10_000, 100_000],
  budgetSteps: 1_000_000,
  budgetBytes: 200 * 1024 * 1024,
};

/** To see whether everything works; its figures say nothing. */
export const tinySizes: Sizes = {
  repeats: 1,
  quietMs: 0,
  warmRuns: 1,
  chainRuns: 20,
  steps: 3,
  soloRuns: 3,
  branches: [5],
  shortRuns: 30,
  memoryRepeats: 2,
  limitMs: 50,
  finishedRuns: [10, 50],
  scheduledRuns: 50,
  dueRuns: 5,
  dueInMs: 100,
  items: [20],
  budgetSteps: 300,
  budgetBytes: 64 * 1024 * 1024,
};
