/** Without a connection, on a slow one, and across a deploy: the open page stays, and says what is missing. */
import { REST_MS } from "#components/ui/while-idle.ts";
import { agentOf, axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

test.use({ firstVisit: true });

const layers = (page: Page) => page.locator("[role=dialog], [role=alertdialog]");
const banner = (page: Page) => page.locator("[data-banner]");
const sidebar = (page: Page) => page.getByRole("navigation", { name: "Workspace" });

/** How long pages rest before they load in advance: not at all, or for longer than the journey. */
const rest = (page: Page, ms: 0 | 600_000) =>
  page.addInitScript(
    ([usual, wanted]) => {
      const wait = window.setTimeout;
      const other = (work: TimerHandler, given?: number, ...more: unknown[]) =>
        wait(work, given === usual ? wanted : given, ...more);
      window.setTimeout = other as typeof window.setTimeout;
    },
    [REST_MS, ms] as const,
  );

/** The browser says that it is offline before it holds requests back, so a page that asks at once may still get an answer. */
async function lose(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await expect(banner(page)).toContainText("No connection since", { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
}

/** Everything that the page loads in advance has arrived. It is alive by now, so all of its parts have said what they load. */
const settled = (page: Page) =>
  page.waitForFunction(
    () => {
      const [begun, ended] = ["rapport.loading", "rapport.idle"].map(
        (name) => performance.getEntriesByName(name).length,
      );
      return ended && ended === begun;
    },
    null,
    { timeout: 60_000 },
  );

test("every dialog opens without a connection, and no page is lost", async ({ page, app, owner, allowErrors }) => {
  test.setTimeout(300_000);
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch");
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", job_title: "CTO" });
  await send("/v2/notes", { focus: "anna@acme.com", title: "Pricing call", content: "Frozen until the audit." });
  await rest(page, 0);
  await signIn(page, owner);
  const at = (path: string) => `/${owner.workspace_id}/${path}`;
  const account = at("accounts/anna@acme.com");
  const places: [address: string, heading: string | RegExp, openers: (string | RegExp)[]][] = [
    [at("people"), "People", ["Add person", "Filter"]],
    [at("companies"), "Companies", ["Add company"]],
    [at("notes"), "Notes", ["Add note", "Pricing call"]],
    [at("api-keys"), "API keys", ["New API key"]],
    [at("integrations"), "Integrations", ["Connect"]],
    [at("gtm-context"), "GTM Context", ["Add a category", "What agents see"]],
    [account, /Anna/, ["Add note", "Log activity"]],
    [`${account}?tab=facts`, /Anna/, [/^Title/]],
  ];
  for (const [address, name, openers] of places) {
    await page.goto(address);
    const heading = page.getByRole("heading", { level: 1, name });
    await expect(heading).toBeVisible();
    await settled(page);
    await lose(page);
    for (const opener of openers) {
      const button = page.getByRole("button", { name: opener, exact: typeof opener === "string" }).first();
      await button.press("Enter");
      await expect(layers(page), `${opener} opens on ${address}`).toHaveCount(1);
      await page.keyboard.press("Escape");
      await expect(layers(page)).toHaveCount(0);
    }
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(layers(page)).toHaveCount(0);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: /shortcuts/i })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(heading).toBeVisible();
    await page.context().setOffline(false);
    await expect(banner(page)).toBeHidden();
  }
});

test("a part that is not loaded yet does not open later, when the connection is back", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch");
  await rest(page, 600_000);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await page.context().setOffline(true);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(banner(page)).toContainText(/No connection since .+\. Search cannot be opened until it is back\./);
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();
  await axe(page);
  await shoot(page, "connection-lost");
  await page.context().setOffline(false);
  await expect(banner(page)).toBeHidden();
  await expect(layers(page)).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
});

test("a click in the sidebar without a connection keeps the page", async ({ page, owner, allowErrors }) => {
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch");
  await rest(page, 0);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await settled(page);
  await lose(page);
  await sidebar(page).getByRole("link", { name: "Companies" }).click();
  await expect(banner(page)).toContainText("Companies cannot be opened until it is back.");
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(banner(page)).toContainText("Companies and Notes cannot be opened until it is back.");
  await expect(page).toHaveURL(/\/people$/);
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();

  await page.context().setOffline(false);
  await expect(banner(page)).toBeHidden();
  await sidebar(page).getByRole("link", { name: "Companies" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Companies" })).toBeVisible();
});

test("a click while the server is away does not fire when it is back", async ({ page, owner, allowErrors }) => {
  allowErrors("ERR_CONNECTION_REFUSED", "Failed to fetch");
  await rest(page, 0);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await settled(page);
  // The network is up, so the browser does not notice.
  await page.route("**/*", (route) => route.abort("connectionrefused"));
  await sidebar(page).getByRole("link", { name: "Notes" }).click();
  await expect(banner(page)).toContainText(
    /No connection since .+\. The next page cannot be opened until it is back\./,
  );
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();
  await page.unroute("**/*");
  await expect(banner(page)).toBeHidden();
  await expect(page).toHaveURL(/\/people$/);
  await sidebar(page).getByRole("link", { name: "Notes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Notes" })).toBeVisible();
});

test("a change made without a connection fails once, and is not sent later", async ({ page, owner, allowErrors }) => {
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch");
  await rest(page, 0);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/api-keys`);
  await settled(page);
  await lose(page);
  const menu = page.getByRole("button", { name: /^Actions for/ }).first();
  for (const _ of [1, 2]) {
    await menu.press("Enter");
    await page.getByRole("menuitem", { name: "Writes need approval" }).press("Enter");
    await expect(page.getByText("Try again when the connection is back.")).toHaveCount(1);
  }
  await page.context().setOffline(false);
  await expect(banner(page)).toBeHidden();
  await page.reload();
  await menu.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Writes need approval" })).toBeVisible();
});

test("a deploy that renames every script leaves the page and asks for a reload", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("404 (Not Found)", "ChunkLoadError");
  await rest(page, 600_000);
  await signIn(page, owner);
  let isDeployed = false;
  await page.route("**/_next/static/chunks/**", (route) =>
    isDeployed ? route.fulfill({ status: 404, body: "" }) : route.continue(),
  );
  // A document of the new version refers to its own scripts.
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isDeployed = false;
  });
  await page.goto(`/${owner.workspace_id}/api-keys`);
  isDeployed = true;
  await page.getByRole("button", { name: "New API key" }).click();
  await expect(banner(page)).toContainText("Rapport has been updated. Reload the page to open “New API key”.");
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await axe(page);
  await shoot(page, "connection-outdated");
  await banner(page).getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("dialog", { name: /key/i })).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await page.keyboard.press("Escape");

  // A page whose scripts are gone is loaded again.
  isDeployed = true;
  await sidebar(page).getByRole("link", { name: "Companies" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Companies" })).toBeVisible();
  await expect(page.getByText("Companies are added automatically")).toBeVisible();
});

test("on a slow connection the clicked link shows at once, then a bar, then the shape of the page", async ({
  page,
  owner,
}) => {
  await rest(page, 0);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/api-keys`);
  await settled(page);
  const { promise: answer, resolve: go } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.searchParams.has("_rsc"),
    async (route) => {
      await answer;
      await route.continue();
    },
  );
  await page.evaluate(() => {
    const times: Record<string, number> = {};
    Object.assign(window, { times });
    const see = (what: string, selector: string) => {
      if (!(what in times) && document.querySelector(selector)) times[what] = performance.now();
    };
    new MutationObserver(() => {
      see("mark", "nav a[data-pending]");
      see("bar", "[role=progressbar][aria-label='Loading the page']");
      see("shape", ".z-15 [role=status]");
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    addEventListener("click", () => (times.click ??= performance.now()), { capture: true, once: true });
  });
  await sidebar(page).getByRole("link", { name: "People" }).click();
  await expect(page.getByText("Loading people")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toBeVisible();
  await shoot(page, "connection-slow");
  const times = await page.evaluate(() => (window as unknown as { times: Record<string, number> }).times);
  const after = (what: string) => (times[what] ?? Number.NaN) - (times.click ?? Number.NaN);
  expect(after("mark")).toBeLessThan(after("bar"));
  expect(after("bar")).toBeGreaterThanOrEqual(149);
  expect(after("shape")).toBeGreaterThanOrEqual(299);

  go();
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toBeHidden();
  await expect(page.locator("a[data-pending]")).toHaveCount(0);
});
