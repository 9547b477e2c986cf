import { axe, expect, shoot, signIn, test } from "./fixture.ts";

test("the reference has our frame, a quick start with one's key, both themes and a way back", async ({
  app,
  owner,
  page,
  context,
}) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.baseURL });
  await page.goto("/docs");
  await expect(page.getByRole("heading", { name: "Quick start" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to Rapport" })).toHaveAttribute("href", "/");
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  await page.goto("/docs");
  const field = page.getByLabel("Your API key");
  await expect(field).toHaveValue("");
  await expect(page.getByRole("button", { name: "Forget it" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Rapport API" })).toBeVisible();
  await axe(page);
  await shoot(page, "docs");
  const font = () => page.evaluate(() => document.fonts.ready.then((fonts) => fonts.check("14px Geist")));
  expect(await font(), "the app's font").toBe(true);

  // The key that was pasted is in every snippet, masked; what is copied has it whole.
  await field.fill(owner.api_key);
  await field.press("Enter");
  await page.getByRole("tab", { name: "curl" }).press("ArrowRight");
  const panel = page.getByRole("tabpanel", { name: "TypeScript" });
  await expect(panel.getByText(`Bearer ${owner.api_key.slice(0, 11)}…${owner.api_key.slice(-4)}`)).toBeVisible();
  await panel.getByRole("button", { name: "Copy" }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`Bearer ${owner.api_key}`);
  await shoot(page, "docs-key");

  // It is nowhere but in the memory of the tab.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toContain(owner.api_key);
  await page.reload();
  await expect(field).toHaveValue("");
  await page.evaluate((key) => sessionStorage.setItem("rapport:docs-key", key), owner.api_key);
  await page.reload();
  await expect(field).toHaveValue(owner.api_key);
  expect(await page.evaluate(() => sessionStorage.getItem("rapport:docs-key"))).toBeNull();
  await page.getByRole("button", { name: "Forget it" }).click();
  await expect(page.getByText("$RAPPORT_API_KEY").first()).toBeVisible();

  await page.getByLabel("Theme").selectOption("dark");
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  await axe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("link", { name: `Back to ${owner.workspace_name}` }).click();
  await expect(page).toHaveURL(`${app.baseURL}/${owner.workspace_id}/home`);
  await expect(page.locator("html")).toHaveClass(/dark/);
});

test("an operation is found, linked to, and tried with one's key and nothing else", async ({
  app,
  owner,
  page,
  allowErrors,
}) => {
  test.slow();
  allowErrors("401 (Unauthorized)");
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  await signIn(page, owner);
  await page.goto("/docs");
  await expect(page.getByRole("heading", { name: "Rapport API" })).toBeVisible({ timeout: 30_000 });
  const search = page.getByLabel("Find an operation");
  await search.fill("get listPeople");
  await expect(page.getByRole("status")).toHaveText("1 operation");
  const listPeople = page.getByRole("button", { name: "GET /v2/people List people" });
  await expect(listPeople).toHaveAttribute("aria-expanded", "false");
  await search.fill("zeppelin");
  await expect(page.getByRole("status")).toHaveText("No operation has all of these words.");
  await expect(listPeople).toBeHidden();

  // An operation has an address of its own, and opens with the keyboard.
  await search.fill("");
  const people = page.getByRole("button", { name: "Expand operation" }).nth(2);
  await people.focus();
  await people.press("Enter");
  await listPeople.focus();
  await listPeople.press("Enter");
  await expect(page).toHaveURL(/\/docs#\/People\/listPeople$/);
  await page.reload();
  await expect(listPeople).toHaveAttribute("aria-expanded", "true");
  await expect(listPeople).toBeInViewport();
  const header = await page.locator("header").boundingBox();
  await expect.poll(async () => (await listPeople.boundingBox())?.y).toBeGreaterThanOrEqual(header?.height ?? 0);
  const operation = page.locator("#operations-People-listPeople");

  // Without a key the session of the app does not count; with it, and after it was forgotten.
  const tried = async (): Promise<{ status: number; headers: Record<string, string> }> => {
    const [answer] = await Promise.all([
      page.waitForResponse((answer) => new URL(answer.url()).pathname === "/v2/people"),
      operation.getByRole("button", { name: "Execute" }).click(),
    ]);
    return { status: answer.status(), headers: await answer.request().allHeaders() };
  };
  await operation.getByRole("button", { name: "Try it out" }).click();
  const without = await tried();
  expect(without.status).toBe(401);
  expect(without.headers).not.toHaveProperty("cookie");
  const key = page.getByLabel("Your API key");
  await key.fill(owner.api_key);
  await key.press("Enter");
  const withKey = await tried();
  expect(withKey.status).toBe(200);
  expect(withKey.headers.authorization).toBe(`Bearer ${owner.api_key}`);
  expect(withKey.headers).not.toHaveProperty("cookie");
  await expect(operation.locator(".live-responses-table").getByText('"people": []')).toBeVisible();
  // At the top no field is half behind the header.
  const toTop = () => page.evaluate(() => scrollTo({ top: 0 }));
  await toTop();
  await axe(page);
  await shoot(page, "docs-tried");
  await page.getByRole("button", { name: "Forget it" }).click();
  expect((await tried()).status).toBe(401);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel("Theme").selectOption("dark");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await toTop();
  await axe(page);
  await shoot(page, "docs-tried-narrow");
  expect([...hosts]).toEqual([new URL(app.baseURL).origin]);
});

test("the guide opens from a page it explains, and every page of it is found", async ({ owner, page, context }) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  const link = page.getByRole("link", { name: "Guide: Lists and filters" });
  const [opened] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await expect(opened.getByRole("heading", { level: 1, name: "Lists and filters" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await opened.emulateMedia({ colorScheme });
    await axe(opened);
  }
  await opened.getByRole("navigation", { name: "Pages of the guide" }).getByRole("link", { name: "Triggers" }).click();
  await expect(opened.getByRole("heading", { level: 1, name: "Triggers" })).toBeVisible();
  await opened.setViewportSize({ width: 390, height: 800 });
  const pages = opened.getByRole("navigation", { name: "Pages of the guide" });
  await expect(pages).toBeHidden();
  await opened.getByText("All pages").click();
  await pages.getByRole("link", { name: "Import a CSV" }).click();
  await expect(opened.getByRole("heading", { level: 1, name: "Import a CSV" })).toBeVisible();
  expect(await opened.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
