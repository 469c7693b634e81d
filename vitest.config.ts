import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defineConfig, type Plugin, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL(".", import.meta.url));

/** A module that starts a thread looks for it beside itself: here, beside what was built of it. */
const threadsFromBuild: Plugin = {
  name: "threads-from-build",
  transform(code, id) {
    if (!id.startsWith(`${root}src/`) || !code.includes("new Worker(")) return null;
    const built = id.replace(`${root}src/`, `${root}dist/`).replace(/\.ts$/, ".js");
    return code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(built).href));
  },
};

/** What takes longest begins first, so that nothing long is left over for one worker alone. */
const longest = [
  "ui/test/accessibility.test.ts",
  "ui/test/run-page.test.ts",
  "ui/test/editor.test.ts",
  "ui/test/shell.test.ts",
  "test/lists.test.ts",
  "test/crash-postgres.test.ts",
  "test/cli/run.test.ts",
  "test/sim/planted.test.ts",
  "src/store/copy/migrate.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const found = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
  return found < 0 ? longest.length : found;
}

const pure = ["src/flow/**/*.test.ts", "src/run/**/*.test.ts", "ui/src/**/*.test.ts"];

/** Suites of the engine, the library and the command line that run a second time, with their stores on PostgreSQL. */
const onBothStores = [
  "src/engine/*.test.ts",
  "src/server/routes/*.test.ts",
  "src/connect.test.ts",
  "src/testing/open-test-engine.test.ts",
  "src/testing/recorded-tools.test.ts",
  "test/builtin-tools.test.ts",
  "test/seed-examples.test.ts",
  "test/cli/*.test.ts",
];

/** Of these, what would say the same again, or is about files alone. */
const onFilesOnly = [
  // They open no store, or look into none.
  "src/engine/{call-context,login-changes,mailbox,workflow-diff,workflow-entry}.test.ts",
  "test/cli/{completion,flows,flow-tests,terminals}.test.ts",
  // An engine stops with its file; lost-store.test.ts says what it does when a server is lost.
  "src/engine/store-failure.test.ts",
  // Files that are no store, or not there; names of files in configurations, or beside the store; a demo on a file; copies
  // of files.
  "test/cli/{bad-input,config,demo,first-hour,server-add,store}.test.ts",
  // The same flows run on both stores through the library.
  "test/cli/seeds.test.ts",
  // They bring a server of their own beside a file.
  "test/cli/{migrate,server}.test.ts",
];

const config: ViteUserConfig = defineConfig({
  plugins: [threadsFromBuild],
  test: {
    globalSetup: "scripts/prepare-tests.ts",
    projects: [
      // Nothing in them outlives a test: one process may take them all.
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      // What they leave behind they take away themselves; loading the engine once for all of them saves a minute.
      {
        extends: true,
        test: {
          name: "parts",
          include: ["src/**/*.test.ts"],
          exclude: ["node_modules", ...pure],
          setupFiles: ["scripts/keep-files-in-memory.ts", "scripts/keep-stores-in-files.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          exclude: ["node_modules"],
          setupFiles: ["scripts/keep-files-on-disk.ts", "scripts/keep-stores-in-files.ts"],
          isolate: false,
          // Some take half a minute on a busy machine.
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: onBothStores,
          exclude: ["node_modules", ...onFilesOnly],
          setupFiles: ["scripts/keep-files-on-disk.ts", "scripts/keep-stores-on-postgres.ts"],
          isolate: false,
        },
      },
      // In a real browser, one for all files of a worker.
      {
        extends: true,
        test: {
          name: "page",
          include: ["ui/test/**/*.test.ts"],
          exclude: ["node_modules"],
          setupFiles: ["scripts/keep-files-on-disk.ts", "scripts/keep-stores-in-files.ts"],
          isolate: false,
          // A browser on a busy machine takes its time.
          testTimeout: 180_000,
        },
      },
    ],
    testTimeout: 60_000,
    // Some start programs.
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // What is waited for often comes from a program that a test has started.
    expect: { poll: { timeout: 30_000 } },
    // A worker often waits for the servers and commands that its tests start.
    maxWorkers: availableParallelism() + 2,
    coverage: {
      provider: "v8",
      include: ["src/flow/**/*.ts", "src/run/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "json-summary", "json"],
      thresholds: { "src/flow/**": { branches: 95 }, "src/run/**": { branches: 95 } },
    },
  },
});

export default config;
