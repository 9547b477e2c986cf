import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./lib/testing/sequencer.ts";

// Servers and commands that tests start keep what they compiled for the next one: half of a start.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "node_modules/.cache/compiled");

// One for all workers of a run, which print it: it sends the same hostile values and strikes again.
process.env.TORTURE_SEED ??= String(Date.now() % 2 ** 31);

/** Folders without tests of ours, or with tests of another runner. */
const exclude = ["**/node_modules/**", "**/.next/**", "**/.data/**", "e2e/**"];

/** Integration tests that replace something for the whole process (a module, the driver's connections). */
const apart = ["lib/oauth/clients.int.test.ts", "lib/testing/torture/torture.int.test.ts"];

const integration = {
  // Many of these wait, for a provider that hangs or a process that starts: a third worker uses the time.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
  globalSetup: ["lib/testing/postgres.ts"],
  setupFiles: ["lib/testing/console.ts", "lib/testing/each-file.ts"],
  // As with polls: reached only by what never comes.
  testTimeout: 120_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    environment: "node",
    env: { LOG_LEVEL: "silent" },
    pool: "forks",
    restoreMocks: true,
    // What a test waits for ends the wait; only what never comes takes so long, however busy the machine is.
    expect: { poll: { timeout: 30_000 } },
    unstubEnvs: true,
    unstubGlobals: true,
    dangerouslyIgnoreUnhandledErrors: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          maxWorkers: 2,
          // Files share a process and what they import: none of them keeps anything for the next.
          isolate: false,
          sequence: { groupOrder: 0 },
          include: ["**/*.test.ts"],
          exclude: [...exclude, "**/*.int.test.ts"],
          setupFiles: ["lib/testing/console.ts"],
          // The linters of the OpenAPI document compute for 10 s on a quiet machine.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          // Each file has a database of its own, and forgets what the process keeps (lib/testing/process-state.ts).
          ...integration,
          isolate: false,
          include: ["**/*.int.test.ts"],
          exclude: [...exclude, ...apart],
        },
      },
      { extends: true, test: { name: "integration-apart", ...integration, include: apart, exclude } },
    ],
  },
});
