import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
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
