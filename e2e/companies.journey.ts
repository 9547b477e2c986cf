/** A company: its people by stage, its weeks, what is logged with it, and how sure we are of what we know. */
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("a company shows its people by stage and its weeks, and one logs and adds there", async ({ page, app, owner }) => {
  const send = agentOf(app.baseURL, owner);
  const { company } = (await send("/v2/companies", {
    domain: "acmeworks.com",
    name: "Acme Works",
    country: "DE",
    industry: "Fintech",
    employee_count: 1200,
  })) as { company: { id: string } };
  for (const [name, pipeline_stage] of [
    ["anna", "evaluating"],
    ["ben", "aware"],
    ["clara", "aware"],
  ])
    await send("/v2/people", { email: `${name}@acmeworks.com`, first_name: name, pipeline_stage });
  const event = (days: number) => ({ kind: "event", property: "interaction.call", value: {}, observed_at: ago(days) });
  await send("/v2/observations", {
    focus: "anna@acmeworks.com",
    observations: [event(1), event(2), event(20), event(50)],
  });

  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/companies`);
  const row = page.getByRole("row", { name: /Acme Works/ });
  await expect(row.getByText("Germany")).toBeVisible();
  await expect(row.getByText("1,200")).toBeVisible();
  await expect(row.getByRole("img", { name: "4 activities in 12 weeks, 2 in the last" })).toBeVisible();
  await axe(page);
  await shoot(page, "companies-trend");

  await page.goto(`/${owner.workspace_id}/accounts/${company.id}`);
  await expect(page.getByText("Fintech · Germany · 1,200 employees")).toBeVisible();
  await expect(page.getByRole("img", { name: "4 activities in 12 weeks, 2 in the last" })).toBeVisible();
  const stages = page.getByRole("list", { name: "People by stage" });
  await expect(stages.getByRole("link")).toHaveText(["Identified0", "Aware2", "Interested0", "Evaluating1", "Client0"]);
  await axe(page);
  await shoot(page, "company-page");

  // With the company itself, and with one of its people.
  await page.getByRole("button", { name: "Log activity" }).click();
  const log = page.getByRole("dialog", { name: "Log an activity" });
  await log.getByLabel("What happened").fill("Met them at the trade fair");
  await axe(page);
  await shoot(page, "company-log");
  await log.getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("Activity logged.")).toBeVisible();
  await expect(page.getByText("Met them at the trade fair")).toBeVisible();
  await page.getByRole("button", { name: "Log activity" }).click();
  await log.getByLabel("With").click();
  await page.getByRole("option", { name: "ben" }).click();
  await log.getByLabel("What happened").fill("Ben asked for a demo");
  await log.getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("Ben asked for a demo")).toBeVisible();
  await expect(page.getByRole("link", { name: "ben", exact: true }).first()).toBeVisible();

  // A person with a private address is linked all the same.
  await page.getByRole("button", { name: "Add person" }).click();
  const add = page.getByRole("dialog", { name: "Add a person at Acme Works" });
  await add.getByLabel("E-mail").fill("dora@gmail.com");
  await add.getByLabel("First name").fill("Dora");
  await axe(page);
  await shoot(page, "company-add-person");
  await add.getByRole("button", { name: "Add person" }).click();
  await expect(add).toBeHidden();
  await expect(stages.getByRole("link").first()).toHaveText("Identified1");
  await stages.getByRole("link", { name: /Aware/ }).click();
  await expect(page).toHaveURL(/company_id=.*pipeline_stage=aware/);
});

test("a fact shows how sure we were of it over time", async ({ page, app, owner }) => {
  const send = agentOf(app.baseURL, owner);
  const said = (value: string, days: number, source: string) => ({
    kind: "state",
    property: "job_title",
    value,
    observed_at: ago(days),
    source,
  });
  const { entity_id } = await send("/v2/observations", {
    focus: "anna@acmeworks.com",
    observations: [said("VP Sales", 200, "crm"), said("VP Sales", 60, "linkedin"), said("CRO", 5, "web")],
  });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/${entity_id}?tab=facts&fact=job_title`);
  const sheet = page.getByRole("dialog", { name: "Title" });
  const chart = sheet.getByRole("region", { name: "Confidence over time" });
  await expect(chart.locator("svg.recharts-surface")).toBeVisible();
  await chart.getByText("Show as a table").click();
  await expect(chart.getByRole("row").first()).toContainText("%");
  expect(await chart.getByRole("row").count()).toBeGreaterThan(20);
  await axe(page);
  await shoot(page, "fact-confidence");
});

test.describe("a reader elsewhere", () => {
  test.use({ locale: "de-DE", timezoneId: "Asia/Tokyo" });

  test("sees numbers and dates as they write them, from the first render on", async ({ page, browser, app, owner }) => {
    const send = agentOf(app.baseURL, owner);
    const { company } = (await send("/v2/companies", { domain: "acmeworks.com", employee_count: 1200 })) as {
      company: { id: string };
    };
    const at = "2026-06-03T20:30:00.000Z"; // the next day in Tokyo
    const call = { kind: "event", property: "interaction.call", value: {}, observed_at: at };
    await send("/v2/observations", { focus: "acmeworks.com", observations: [call] });
    await signIn(page, owner);
    await page.goto(`/${owner.workspace_id}/accounts/${company.id}`);
    await expect(page.getByText("1.200 employees")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Donnerstag, 4. Juni" })).toBeVisible();
    await expect(page.getByText("05:30", { exact: true })).toBeVisible();

    const bare = await browser.newContext({
      baseURL: app.baseURL,
      locale: "de-DE",
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const still = await bare.newPage();
    await still.goto(`/${owner.workspace_id}/accounts/${company.id}`);
    await expect(still.getByText("1.200 employees")).toBeAttached(); // the page is streamed: a script shows it
    await bare.close();
  });
});
