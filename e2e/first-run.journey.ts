/** The first minutes with one's own server: an empty data folder, no users yet. */
import { startApp } from "./app.ts";
import { arrived, axe, expect, type Page, shoot, test } from "./fixture.ts";

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

    await arrived(page, /\/connect\?welcome=1/);
    const [connect, sample] = await Promise.all(
      ["Connect an agent", "Look around first"].map((name) =>
        page.locator("section", { has: page.getByRole("heading", { name }) }).boundingBox(),
      ),
    );
    expect([sample?.width, sample?.height], "as large a card").toEqual([connect?.width, connect?.height]);
    await shoot(page, "welcome");
    await page.getByRole("radio", { name: "With an API key" }).check();
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
    await expect(page.getByRole("heading", { name: /^Tell it when to use Rapport ?, done/ })).toBeVisible();
    await page.getByRole("link", { name: "Open GTM Context" }).click();
    await expect(page).toHaveURL(/\/gtm-context\?section=ICP/);
    await expect(page.getByRole("heading", { name: "ICP" })).toBeVisible();

    // Facts: a time as the reader writes it, a year as a year.
    const states = ["founded", 2019, "renewal_at", "2027-03-04T09:30:00.000Z"] as const;
    const facts = await fetch(`${app.baseURL}/v2/observations`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        focus: "acme.com",
        observations: [0, 2].map((at) => ({ kind: "state", property: states[at], value: states[at + 1] })),
      }),
    });
    const { entity_id: acme } = await facts.json();
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/accounts/${acme}?tab=facts`);
    const known = page.getByRole("list", { name: "Facts" });
    await expect(known.getByText("2019", { exact: true })).toBeVisible();
    await expect(known.getByRole("time").or(known.locator("time")).filter({ hasText: "2027" })).toBeVisible();
    await expect(known.getByText("T09:30")).toHaveCount(0);
    await shoot(page, "facts-times");
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/settings/plan`);
    await expect(page.getByRole("button", { name: "Copy code" }).first()).toBeVisible();
    await shoot(page, "plan");
    const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    const [text, copy] = [page.locator("figure pre").first(), page.getByRole("button", { name: "Copy code" }).first()];
    const right = (box: { x: number; width: number } | null) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(right(await text.boundingBox())).toBeLessThanOrEqual((await copy.boundingBox())?.x ?? 0);
    await page.setViewportSize({ width, height });

    const offered = async () => {
      await page.reload();
      await page.keyboard.press("ControlOrMeta+k");
      await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
      await page.getByRole("combobox", { name: "Command palette" }).fill("look around");
      return page.getByRole("option", { name: "Look around with sample data" });
    };
    await expect(await offered()).toBeVisible();
    await page.keyboard.press("Escape");

    // Sample data from an empty list, and away again: what is the user's own stays.
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/notes`);
    await expect(page.getByRole("button", { name: "Look around with sample data" })).toBeVisible();
    // From where a sign-up ends to the first useful page: the reader's presses are counted, the seconds only told.
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/connect?welcome=1`);
    await page.evaluate(() => {
      Object.assign(window, { presses: 0 });
      const count = () => Object.assign(window, { presses: (window as unknown as { presses: number }).presses + 1 });
      for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, count, true);
    });
    const since = Date.now();
    await page.getByRole("button", { name: "Look around with sample data" }).click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole("list", { name: "Needs attention" }).getByRole("listitem").first()).toBeVisible();
    const seconds = (Date.now() - since) / 1000;
    await expect(page.getByText("200 made-up people at 40 companies are here.")).toBeVisible();
    const presses = await page.evaluate(() => (window as unknown as { presses?: number }).presses);
    expect(presses, "presses, in the same document").toBeLessThanOrEqual(3);
    test.info().annotations.push({ type: "first useful page", description: `${presses} presses, ${seconds} s` });
    await expect(page.getByText(/Pilot review/).first()).toBeVisible();
    await axe(page);
    await shoot(page, "home-sample");
    // A sample person who is moved forward counts like anyone.
    const people = `${app.baseURL}/${workspaceOf(page)}/people`;
    await page.goto(`${people}?pipeline_stage=identified`);
    await page
      .getByRole("button", { name: /^Stage of .*: Identified\. Change$/ })
      .first()
      .click();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await page.getByRole("menuitemradio", { name: "Aware" }).click();
    await saved;
    await page.goto(`${app.baseURL}/${workspaceOf(page)}/home`);
    const week = page.getByRole("region", { name: "The last 7 days" });
    await expect(week.getByRole("listitem").filter({ hasText: "Moved forward" })).toHaveText(/Moved forward1/);
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/sample-data"));
    const option = await offered();
    await answered;
    await expect(page.getByText("Nothing found.").or(page.getByRole("option")).first()).toBeVisible();
    await expect(option).toHaveCount(0);
    await page.keyboard.press("Escape");
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
