import { defineConfig } from "vitest/config";

/** Folders without tests of ours, or with tests of another runner. */
const exclude = ["**/node_modules/**", "**/.next/**", "**/.data/**", "e2e/**"];

export default defineConfig({
  test: {
    environment: "node",
    env: { LOG_LEVEL: "silent" },
    pool: "forks",
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
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
          // Many of these wait, for a provider that hangs or a process that starts: a third one uses the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
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
