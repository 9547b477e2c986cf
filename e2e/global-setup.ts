import { join } from "node:path";
import { root, startApp } from "./app.ts";
import { startCalendar } from "./calendar.ts";
import { startCrm } from "./crm.ts";

/**
 * Starts the app once for all journeys, with stand-ins for the booking provider and the CRM, and stops them afterwards. With
 * `E2E_BASE_URL` and `E2E_DATA_DIR` set, the journeys run against an app that already runs (while developing), and
 * `E2E_CAL_COM_URL` must be its booking provider.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (process.env.E2E_BASE_URL) {
    if (!process.env.E2E_DATA_DIR) throw new Error("E2E_BASE_URL needs E2E_DATA_DIR, the data folder of that app");
    return async () => {};
  }
  const calendar = await startCalendar();
  const crm = await startCrm();
  const app = await startApp({
    CAL_COM_API_URL: calendar.url,
    HUBSPOT_API_URL: crm.url,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: "true",
    // Journeys about mail bring their own mail server.
    PRIVATE_MAIL_SERVERS: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: join(root, "lib/testing/samples/tls/loopback.cert.pem"),
  });
  process.env.E2E_BASE_URL = app.baseURL;
  process.env.E2E_DATA_DIR = app.dataDir;
  process.env.E2E_CAL_COM_URL = calendar.url;
  return async () => {
    await app.stop();
    await calendar.stop();
    await crm.stop();
  };
}
