import { defineConfig } from "playwright/test";
import { resolveBrowser } from "./e2e/browser.ts";

const browser = await resolveBrowser();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.journey.ts",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results/e2e",
  // A browser waits for a third of its time: a third one uses it.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // What a journey waits for ends the wait; only what never comes takes so long, however busy the machine is.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Recorded only when asked for: the browser copies the page at every step.
    trace: process.env.E2E_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: browser.executablePath, args: browser.args, env: browser.env },
  },
});
