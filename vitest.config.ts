import { defineConfig } from "vitest/config";

/** Folders without tests of ours, or with tests of another runner. */
const exclude = ["**/node_modules/**", "**/.next/**", "**/.data/**", "e2e/**"];

export default defineConfig({
  test: {
    environment: "node",
    env: { LOG_LEVEL: "silent" },
    pool: "forks",
    maxWorkers: 2,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [...exclude, "**/*.int.test.ts"],
          setupFiles: ["lib/testing/console.ts"],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["**/*.int.test.ts"],
          exclude,
          globalSetup: ["lib/testing/postgres.ts"],
          setupFiles: ["lib/testing/console.ts", "lib/testing/database.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
