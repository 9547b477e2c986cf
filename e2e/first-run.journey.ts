/** The first minutes with one's own server: an empty data folder, no users yet. */
import { startApp } from "./app.ts";
import { axe, expect, type Page, shoot, test } from "./fixture.ts";

const workspaceOf = (page: Page) => new URL(page.url()).pathname.split("/")[1];

test("the first user signs up, connects an agent and writes the ICP; everyone after them needs an invitation", async ({
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
    await page.getByLabel("E-mail").fill("ada@acme.example");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Workspace name").fill("Acme");
    await expect(page.getByRole("textbox")).toHaveCount(3);
    await expect(page.getByText("Rapport remembers what your sales agents learn")).toBeVisible();
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
    const body = JSON.stringify({
      focus: "anna@acme.com",
      observations: [{ kind: "event", property: "interaction.call" }],
    });
    const recorded = await fetch(`${app.baseURL}/v2/observations`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(recorded.ok).toBe(true);
    // Calls are written every ten seconds; the step then ticks itself.
    await expect(page.getByRole("heading", { name: /^Tell it when to use Rapport ?, done/ })).toBeVisible({
      timeout: 20_000,
    });
    await page.getByRole("link", { name: "Open GTM Context" }).click();
    await expect(page).toHaveURL(/\/gtm-context\?section=ICP/);
    await expect(page.getByRole("heading", { name: "ICP" })).toBeVisible();

    // Sample data from an empty list, and away again: what is the user's own stays.
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/notes`);
    await page.getByRole("button", { name: "Look around with sample data" }).click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByText("200 made-up people at 40 companies are here.")).toBeVisible();
    await expect(page.getByText(/Pilot review/).first()).toBeVisible();
    await axe(page);
    await shoot(page, "home-sample");
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/settings/sample-data`);
    await page.getByRole("button", { name: "Remove sample data" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(
      "200 people, 40 companies, 50 notes, 1 lead list, and 7 entries of the GTM profile",
    );
    await expect(question).toContainText("Stays: 1 person of your own");
    await axe(page);
    await shoot(page, "sample-remove");
    await question.getByRole("button", { name: "Remove sample data" }).click();
    await expect(page.getByText("240 sample records removed")).toBeVisible();
    await expect(page.getByRole("button", { name: "Load sample data" })).toBeVisible();

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
