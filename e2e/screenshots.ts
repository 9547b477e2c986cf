/**
 * `npm run screenshots`: the pictures of the README, `public/screenshots`, from the app as it is, with sample data. Run
 * it when a page in them looks different.
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright";
import { cleanEnv, root, startApp } from "./app.ts";
import { resolveBrowser } from "./browser.ts";

const folder = join(root, "public/screenshots");
const view = { width: 1440, height: 900 };

type NewWorkspace = { workspace_id: string; owner_email: string; owner_password: string; api_key: string };

const app = await startApp({}, "screenshots.log");
const { source: _, ...launch } = await resolveBrowser();
const browser = await chromium.launch(launch);
try {
  const created = await createWorkspace();
  const page = await browser.newPage({
    baseURL: app.baseURL,
    viewport: view,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(created.owner_email);
  await page.getByLabel("Password", { exact: true }).fill(created.owner_password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  const at = (path: string) => `/${created.workspace_id}/${path}`;
  const answer = await page.request.post(`/api/app/${created.workspace_id}/sample-data/load`, {
    data: {},
    headers: { origin: app.baseURL },
  });
  if (!answer.ok()) throw new Error(`the sample data answered ${answer.status()}: ${await answer.text()}`);

  await scored(page, at("settings/scoring"));
  await picture(page, "home", at("home"), "dark");
  await picture(page, "board", at("people?layout=board"));
  await picture(page, "people", at("people"));
  await page.getByRole("table", { name: "people" }).getByRole("link").first().click();
  await page.waitForURL(/\/accounts\//);
  await picture(page, "account", page.url());
  await page.getByRole("tab", { name: "What agents see" }).click();
  await shot(page, "what-agents-see");
  await picture(page, "gtm-context", at("gtm-context"));
  await picture(page, "activity", at("activity"));
  await picture(page, "scoring", at("settings/scoring"), "dark");
  await page.goto(at("leads"));
  await page.getByRole("main").getByRole("link").first().click();
  await page.waitForURL(/\/leads\/./);
  await picture(page, "leads", page.url());
  await picture(page, "connect", at("connect"), "dark");
} finally {
  await browser.close();
  await app.stop();
}

async function createWorkspace(): Promise<NewWorkspace> {
  const command = ["admin", "workspace", "create", "--name", "Northwind Analytics", "--plan", "scale", "--json"];
  const owner = ["--owner-email", "ada@northwind.example", "--owner-password", "correct horse battery"];
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/rapport.mjs", ...command, ...owner], {
    cwd: root,
    env: cleanEnv({ RAPPORT_DATA_DIR: app.dataDir }),
  });
  return JSON.parse(stdout) as NewWorkspace;
}

/** The model of the sample scores its people by a job. */
async function scored(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByText(/\d scored/).waitFor({ timeout: 60_000 });
}

async function picture(page: Page, name: string, address: string, theme: "light" | "dark" = "light"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(address);
  await shot(page, name);
}

/** Once the page has its data and its fonts. */
async function shot(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(2_500); // charts and trends load after the page
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
  process.stdout.write(`${name}.png\n`);
}
