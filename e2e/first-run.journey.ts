/** The first minutes with one's own server: an empty data folder, no users yet. */
import { startApp } from "./app.ts";
import { axe, expect, shoot, test } from "./fixture.ts";

test("the first user signs up, connects an agent and writes the ICP; everybody after them needs an invitation", async ({
  page,
  newVisitor,
}) => {
  test.slow();
  const app = await startApp({}, "first-run.log");
  try {
    await page.goto(app.baseURL);
    await expect(page).toHaveURL(/\/sign-up/);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("E-mail").fill("ada@acme.example");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Workspace name").fill("Acme");
    await page.getByLabel("Website").fill("acme.com");
    await axe(page);
    await shoot(page, "sign-up");
    await page.getByRole("button", { name: "Create account" }).click();

    await expect(page).toHaveURL(/\/connect\?welcome=1/);
    const withKey = page.getByRole("radio", { name: "With an API key" });
    await expect(async () => {
      await withKey.click(); // until the page has come alive
      await expect(withKey).toBeChecked({ timeout: 500 });
    }).toPass();
    await page.getByLabel("Name").fill("Codex");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = (await page.getByText(/^rpt_\w{6}_\w{38}$/).textContent()) ?? "";
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${app.baseURL}/v2/workspace/facts`, { headers })).status).toBe(200);
    await expect(page.getByText("Connected", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Open GTM Context" }).click();
    await expect(page).toHaveURL(/\/gtm-context\?section=ICP/);
    await expect(page.getByRole("heading", { name: "ICP" })).toBeVisible();

    const late = await newVisitor();
    await late.goto(`${app.baseURL}/sign-up`);
    await expect(late.getByRole("button", { name: "Create account" })).toHaveCount(0);
    await expect(late.getByRole("heading", { name: "Sign-up is by invitation" })).toBeVisible();
    await late.close(); // it prefetches the pages of its links
  } finally {
    await page.goto("about:blank"); // an open page would ask for what it missed while the server stops
    await app.stop();
  }
});
