import { startApp } from "./app.ts";

/**
 * Starts the app once for all journeys and stops it afterwards.
 * With `E2E_BASE_URL` and `E2E_DATA_DIR` set, the journeys run against an app that already runs (a developer's loop).
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (process.env.E2E_BASE_URL) {
    if (!process.env.E2E_DATA_DIR) throw new Error("E2E_BASE_URL needs E2E_DATA_DIR, the data folder of that app");
    return async () => {};
  }
  const app = await startApp();
  process.env.E2E_BASE_URL = app.baseURL;
  process.env.E2E_DATA_DIR = app.dataDir;
  return app.stop;
}
