import { fileURLToPath, pathToFileURL } from "node:url";
import { defineConfig, type Plugin, type ViteUserConfig } from "vitest/config";

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

const pure = ["src/flow/**/*.test.ts", "src/run/**/*.test.ts"];

const config: ViteUserConfig = defineConfig({
  plugins: [threadsFromBuild],
  test: {
    globalSetup: "scripts/build-for-tests.ts",
    projects: [
      // Nothing in them outlives a test: one process may take them all.
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      {
        extends: true,
        test: { name: "whole", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: ["node_modules", ...pure] },
      },
    ],
    testTimeout: 60_000,
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
