/**
 * What every journey starts from: a running app, an owner of a fresh workspace, and a page on which any error fails the
 * test.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type PlaywrightTestOptions,
  type TestInfo,
  type WebError,
} from "playwright/test";
import { type App, cleanEnv, root } from "./app.ts";
import type { OperatorRequest, OperatorResult, OperatorTask } from "./operator.ts";

export { expect, type Page } from "playwright/test";
export { axe, axeInTheDark } from "./axe.ts";

/** What `rapport admin workspace create --json` prints, and the name we gave. */
export type Owner = {
  workspace_id: string;
  owner_email: string;
  owner_password: string;
  api_key: string;
  workspace_name: string;
};

/** Every owner's: one that a command makes up has to be replaced at the first sign-in. */
export const PASSWORD = "correct horse battery";

type Fixtures = {
  app: App;
  /** The owner of a workspace that only this test uses. */
  owner: Owner;
  /** Makes one more workspace, for journeys about two tenants. */
  createOwner: (name?: string) => Promise<Owner>;
  /** A page with separate cookies (another person), watched like `page`. */
  newVisitor: () => Promise<Page>;
  /** Names console errors this journey expects, such as the 401 of a wrong password: matched against text and URL. */
  allowErrors: (...patterns: (RegExp | string)[]) => void;
};

type Watch = { context: (context: BrowserContext) => () => void; allow: Fixtures["allowErrors"] };

/** Scripts that a worker's browser has compiled stay compiled in its context: a page opens with half of the work. */
type OfWorker = { workerContext: BrowserContext };

type Options = {
  /** For journeys about what has not been fetched yet: a browser that has never seen the app. */
  firstVisit: boolean;
};

export const test = base.extend<Fixtures & Options & { watch: Watch }, OfWorker>({
  firstVisit: [false, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  app: async ({}, use) => use(appUnderTest()),

  baseURL: async ({ app }, use) => use(app.baseURL),

  createOwner: async ({ app }, use) => use((name) => createOwner(app, name)),

  owner: async ({ createOwner }, use) => use(await createOwner()),

  watch: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const errors: string[] = [];
      const allowed: (RegExp | string)[] = [];
      await use({
        context: (context) => watchContext(context, errors),
        allow: (...patterns) => allowed.push(...patterns),
      });
      const unexpected = errors.filter((error) => !allowed.some((pattern) => matches(error, pattern)));
      expect(unexpected, "the browser reported errors (name expected ones with allowErrors)").toEqual([]);
    },
    { auto: true },
  ],

  allowErrors: async ({ watch }, use) => use(watch.allow),

  workerContext: [
    async ({ browser }, use, { project }) => {
      const context = await newContext(browser, project.use);
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],

  context: async ({ browser, workerContext, watch, locale, timezoneId, firstVisit }, use, testInfo) => {
    const { project } = testInfo;
    const isUsual = !firstVisit && locale === project.use.locale && timezoneId === project.use.timezoneId;
    const context = isUsual ? workerContext : await newContext(browser, { ...project.use, locale, timezoneId });
    const unwatch = watch.context(context);
    await use(context);
    if (testInfo.status !== testInfo.expectedStatus) await photograph(context, testInfo);
    await Promise.all(context.pages().map((page) => page.close()));
    unwatch();
    if (isUsual) await forget(context);
    else await context.close();
  },

  newVisitor: async ({ browser, watch, locale, timezoneId }, use, { project }) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await newContext(browser, { ...project.use, locale, timezoneId });
      contexts.push(context);
      watch.context(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

/** The size of the window, and the language and zone of who reads in it. */
type Reader = Partial<Pick<PlaywrightTestOptions, "viewport" | "locale" | "timezoneId">>;

/** A context in which every page waits until it answers, and reports what violates the content security policy. */
async function newContext(browser: Browser, { viewport, locale, timezoneId }: Reader): Promise<BrowserContext> {
  const { baseURL } = appUnderTest();
  const context = await browser.newContext({ baseURL, viewport, locale, timezoneId, reducedMotion: "reduce" });
  context.on("page", untilAlive);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (violation) => {
      console.error(`CSP violation: ${violation.effectiveDirective} blocked ${violation.blockedURI}`);
    });
  });
  return context;
}

/** Leaves nothing of a journey to the next one but what the browser has fetched and compiled. */
async function forget(context: BrowserContext): Promise<void> {
  await context.setOffline(false);
  await context.unrouteAll();
  await context.clearPermissions();
  await context.clearCookies();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const origin = new URL(appUnderTest().baseURL).origin;
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage,indexeddb,service_workers" });
  await page.close();
}

async function photograph(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  for (const [index, page] of context.pages().entries()) {
    const path = testInfo.outputPath(`page-${index + 1}.png`);
    await page.screenshot({ path });
    testInfo.attachments.push({ name: "screenshot", path, contentType: "image/png" });
  }
}

function appUnderTest(): App {
  const { E2E_BASE_URL: baseURL, E2E_DATA_DIR: dataDir } = process.env;
  if (!baseURL || !dataDir) throw new Error("e2e/global-setup.ts did not start the app");
  return { baseURL, dataDir };
}

/** What is pressed before React has taken over a page is lost, so to open one is to wait for that. */
function untilAlive(page: Page): void {
  const { goto, reload } = page;
  page.goto = async (...given) => {
    const answer = await goto.apply(page, given);
    await alive(page);
    return answer;
  };
  page.reload = async (...given) => {
    const answer = await reload.apply(page, given);
    await alive(page);
    return answer;
  };
}

/** A document that the app itself opened, after a sign-in say: waits until it is there and answers. */
export async function arrived(page: Page, place: RegExp): Promise<void> {
  await page.waitForURL(place);
  await alive(page);
}

/** Waits until every control and key of ours answers. Documents that are not made by Next are as they are. */
async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const has = (part: Node, mark: string) => Object.keys(part).some((key) => key.startsWith(mark));
    if (!("__next_f" in window)) return true;
    const controls = [...document.querySelectorAll(":is(button, input, select, textarea):not(#reference *)")];
    return has(document, "__reactContainer") && controls.every((control) => has(control, "__reactFiber"));
  });
  // Keys are listened for by effects, which React runs before the browser is idle.
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 2_000 })));
}

/** Collects console errors and uncaught exceptions until the function it returns is called. */
function watchContext(context: BrowserContext, errors: string[]): () => void {
  const hear = (message: ConsoleMessage): void => {
    if (message.type() !== "error") return;
    const { url, lineNumber } = message.location();
    errors.push(`console.error: ${message.text()} (${url}:${lineNumber}, on ${message.page()?.url() ?? "no page"})`);
  };
  const fall = (weberror: WebError): void => {
    errors.push(`uncaught: ${weberror.error().stack ?? weberror.error()} (on ${weberror.page()?.url() ?? "no page"})`);
  };
  context.on("console", hear);
  context.on("weberror", fall);
  return () => {
    context.off("console", hear);
    context.off("weberror", fall);
  };
}

function matches(error: string, pattern: RegExp | string): boolean {
  return typeof pattern === "string" ? error.includes(pattern) : pattern.test(error);
}

/** The processes that run the commands of this worker's journeys, by the data folder of their app; they end with the worker. */
const operators = new Map<string, ChildProcess>();
let asked = 0;

function operatorOf({ dataDir }: App): ChildProcess {
  const running = operators.get(dataDir);
  if (running) return running;
  const env = cleanEnv({ RAPPORT_DATA_DIR: dataDir });
  const started = fork(join(root, "e2e/operator.ts"), { cwd: root, env, execArgv: [] });
  operators.set(dataDir, started);
  return started;
}

/** Runs a command of `rapport admin` as an operator would and returns the JSON it prints. */
export const rapport = <T>(app: App, ...args: string[]): Promise<T> =>
  operate(app, { args: [...args, "--json"] }, `rapport ${args.join(" ")}`);

async function operate<T>(app: App, task: OperatorTask, name: string): Promise<T> {
  const running = operatorOf(app);
  const id = ++asked;
  const done = await new Promise<OperatorResult>((resolve, reject) => {
    const over = (code: number | null) => reject(new Error(`the process of the operator ended with ${code}`));
    running.on("message", function hear(one: OperatorResult) {
      if (one.id !== id) return;
      running.off("message", hear);
      running.off("exit", over);
      resolve(one);
    });
    running.once("exit", over);
    running.send({ id, ...task } satisfies OperatorRequest);
  });
  if (done.exit !== 0) throw new Error(`${name} ended with ${done.exit}: ${done.stderr}`);
  return JSON.parse(done.stdout) as T;
}

async function createOwner(app: App, name = `Acme ${randomUUID().slice(0, 8)}`): Promise<Owner> {
  const email = `owner-${randomUUID().slice(0, 12)}@acme.example`;
  const created = await rapport<Omit<Owner, "workspace_name">>(
    app,
    ...["admin", "workspace", "create", "--name", name, "--owner-email", email, "--owner-password", PASSWORD],
  );
  return { ...created, workspace_name: name };
}

/** What an agent does with the owner's key: sends a body, gets the answer. */
export function agentOf(baseURL: string, owner: Owner) {
  const headers = { authorization: `Bearer ${owner.api_key}`, "content-type": "application/json" };
  return async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(baseURL + path, { headers, method: "POST", body: JSON.stringify(body) });
    expect(answer.ok, `${path} answers ${answer.status}`).toBe(true);
    return (await answer.json()) as Record<string, unknown>;
  };
}

/** Signs in through the form and waits until the app has let the owner in. */
export async function signInByForm(page: Page, owner: Pick<Owner, "owner_email" | "owner_password">): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(owner.owner_email);
  await page.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** Signs the owner in without the form: the browser has the cookie of a new session, and no page is open yet. */
export async function signIn(page: Page, { owner_email }: Pick<Owner, "owner_email">, minutesAgo = 0): Promise<void> {
  const app = appUnderTest();
  const { token } = await operate<{ token: string }>(
    app,
    { signIn: owner_email, minutesAgo },
    `the sign-in of ${owner_email}`,
  );
  const cookie = { name: "next-auth.session-token", value: token, url: app.baseURL, httpOnly: true };
  await page.context().addCookies([{ ...cookie, sameSite: "Lax" }]);
}

/** The owner has a mailbox with a conversation with this contact. */
export async function converseWith(owner: Owner, contact: string): Promise<void> {
  const task = { mailbox: owner.owner_email, workspaceId: owner.workspace_id, contact };
  await operate(appUnderTest(), task, `the mail of ${owner.owner_email}`);
}

/** Signs in and opens a page of the workspace. */
export async function signInTo(page: Page, owner: Owner, place: string): Promise<void> {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/${place}`);
}

/** The owner, signed in on `page`, invites Grace, who makes an account and sees the workspace's home on `visitor`. */
export async function inviteGrace(page: Page, visitor: Page, owner: Owner): Promise<void> {
  await page.goto(`/${owner.workspace_id}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail (optional)").fill(`grace-${owner.workspace_id}@acme.example`);
  await page.getByRole("button", { name: "Create link" }).click();
  await visitor.goto(await page.getByLabel("Link", { exact: true }).inputValue());
  await visitor.getByLabel("Your name").fill("Grace Hopper");
  await visitor.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await visitor.getByRole("button", { name: "Create account" }).click();
  await expect(visitor).toHaveURL(`/${owner.workspace_id}/home`);
}

/** Resolves once the server has the next change: the page shows it before. */
export const stored = (page: Page) =>
  page.waitForResponse((response) => response.request().method() !== "GET" && response.ok());

/** Presses Undo in a toast. Later toasts lie over it until the pointer is on them. */
export async function undo(page: Page, message: string | RegExp): Promise<void> {
  const toast = page.getByRole("listitem").filter({ hasText: message });
  await toast.hover({ force: true });
  await toast.getByRole("button", { name: "Undo" }).click();
}

/** Mends what failed and presses Try again. The page also tries by itself: the pointer is on the button before it can succeed. */
export async function tryAgain(problem: Locator, mend: () => Promise<unknown>): Promise<void> {
  const again = problem.getByRole("button", { name: "Try again" });
  await again.hover();
  await mend();
  // The page may have been faster: then the button is gone with the problem.
  await again.click({ timeout: 5_000 }).catch(async (error: unknown) => {
    if (await again.isVisible()) throw error;
  });
}

/** The list of people as a table. */
export const peopleTable = (page: Page) => page.getByRole("table", { name: "people" });

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * With `E2E_SCREENS=1`: screenshots `test-results/screens/<name>-<desktop|phone>-<light|dark>.png`. The page is left as it was.
 * They are for eyes only: no test compares them.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.E2E_SCREENS) return;
  const folder = join(root, "test-results/screens");
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize();
  for (const [device, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.screenshot({ path: join(folder, `${name}-${device}-${colorScheme}.png`), animations: "disabled" });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
