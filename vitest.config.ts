import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    // Threads that run from the sources bring WebAssembly along (it strips their types), and V8 now and then aborts when
    // several of them come and go in a process that protects its pages by keys: "Check failed: jit_page.has_value()".
    execArgv: ["--no-memory-protection-keys"],
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
