/** Filters, sorts and counts of the lists: several values, ranges, properties with their values, all by keyboard. */
import { agentOf, axe, expect, type Owner, type Page, peopleTable, shoot, signInTo, test } from "./fixture.ts";

const regions = ["DACH", "DACH", "Nordics", "Iberia, South"];
const stages = ["identified", "identified", "aware", "client"];

/** A hundred and twenty people, four of whom have no region. */
async function fill(baseURL: string, owner: Owner): Promise<void> {
  const people = Array.from({ length: 120 }, (_, index) => ({
    email: `person${index}@gmail.com`,
    first_name: `Person ${String(index).padStart(3, "0")}`,
    pipeline_stage: stages[index % 4],
    ...(index < 4 ? {} : { region: regions[index % 4], employees: index }),
    source: index % 10 === 0 ? "crm" : "list",
  }));
  const made = await agentOf(baseURL, owner)("/v2/people/bulk", { people });
  expect(made).toMatchObject({ created: 120, failed: 0 });
}

const rows = (page: Page) => peopleTable(page).getByRole("row");
const chip = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("people are filtered by several values, by keyboard, and the filters are edited and shared", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await expect(page.getByText("120 people", { exact: true })).toBeVisible();

  const filter = chip(page, "Filter");
  await filter.focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog", { name: "Filter by" });
  await expect(menu.getByRole("textbox", { name: "Find a filter" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("button", { name: "Title", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(menu.getByRole("button", { name: "Stage" })).toBeFocused();
  await page.keyboard.press("Enter");
  const byStage = page.getByRole("dialog", { name: "Filter by stage" });
  await expect(byStage.getByRole("checkbox", { name: "Aware" })).toBeVisible();
  await axe(page);
  await shoot(page, "filter-stages");
  await byStage.getByRole("checkbox", { name: "Aware" }).focus();
  await page.keyboard.press("Space");
  for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowDown");
  await expect(byStage.getByRole("checkbox", { name: "Client" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(chip(page, "Stage: Aware, Client")).toBeVisible();
  await expect(page.getByText("60 people", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/pipeline_stage=aware/);

  await chip(page, "Stage: Aware, Client").click();
  const change = page.getByRole("dialog", { name: /^Change the filter/ });
  await change.getByRole("checkbox", { name: "Aware" }).click();
  await change.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "is not", exact: true }).click();
  await change.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Stage is not Client")).toBeVisible();
  await expect(page.getByText("90 people", { exact: true })).toBeVisible();
  await page.reload();
  await expect(chip(page, "Stage is not Client")).toBeVisible();
  await page.getByRole("button", { name: "Remove the filter Stage is not Client" }).click();

  await filter.click();
  await page.getByRole("button", { name: "Property", exact: true }).click();
  const byProperty = page.getByRole("dialog", { name: "Filter by property" });
  await expect(byProperty.getByRole("button", { name: "Region" })).toContainText("116");
  await axe(page);
  await shoot(page, "filter-properties");
  await byProperty.getByRole("textbox", { name: "Find a property" }).fill("reg");
  await page.keyboard.press("Enter");
  const values = byProperty.getByRole("list", { name: "Values" });
  await expect(values.getByRole("listitem")).toHaveCount(3);
  await expect(values.getByRole("listitem").first()).toContainText("DACH");
  await expect(values.getByRole("listitem").first()).toContainText("58");
  await values.getByRole("checkbox", { name: "Iberia, South" }).click();
  await byProperty.getByRole("textbox", { name: "Find a value" }).fill("nord");
  await expect(values.getByRole("listitem")).toHaveCount(2);
  await values.getByRole("checkbox", { name: "Nordics" }).click();
  await axe(page);
  await shoot(page, "filter-values");
  await byProperty.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Region: Iberia, South, Nordics")).toBeVisible();
  await expect(page.getByText("58 people", { exact: true })).toBeVisible();
  await chip(page, "Region: Iberia, South, Nordics").click();
  await change.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "is not known", exact: true }).click();
  await change.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Region is not known")).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await page.getByRole("button", { name: "Remove the filter Region is not known" }).click();

  await filter.click();
  await page.getByRole("button", { name: "Property", exact: true }).click();
  await byProperty.getByRole("button", { name: "Employees" }).click();
  await byProperty.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "is at least", exact: true }).click();
  await byProperty.getByRole("textbox", { name: "Value" }).fill("110");
  await byProperty.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Employees is at least 110")).toBeVisible();
  await expect(rows(page)).toHaveCount(11);
  await chip(page, "Employees is at least 110").click();
  await change.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "is between", exact: true }).click();
  await change.getByRole("textbox", { name: "To" }).fill("9");
  await page.keyboard.press("Enter");
  await expect(change.getByText("The first is after the second.")).toBeVisible();
  await change.getByRole("textbox", { name: "To" }).fill("112");
  await axe(page);
  await shoot(page, "filter-between");
  await page.keyboard.press("Enter");
  await expect(chip(page, "Employees is between 110 and 112")).toBeVisible();
  await expect(rows(page)).toHaveCount(4);
  await page.reload();
  await expect(chip(page, "Employees is between 110 and 112")).toBeVisible();

  await filter.click();
  await page.getByRole("button", { name: "Source", exact: true }).click();
  const bySource = page.getByRole("dialog", { name: "Filter by source" });
  await bySource.getByRole("checkbox", { name: "CRM" }).click();
  await bySource.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Source: CRM")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await axe(page);
  await shoot(page, "filter-chips");
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page.getByText("120 people", { exact: true })).toBeVisible();

  await filter.click();
  await page.getByRole("button", { name: "ICP score", exact: true }).click();
  const byScore = page.getByRole("dialog", { name: "Filter by ICP score" });
  await byScore.getByRole("spinbutton", { name: "At least" }).fill("70");
  await byScore.getByRole("spinbutton", { name: "At most" }).fill("50");
  await byScore.getByRole("button", { name: "Apply" }).click();
  await expect(byScore.getByText("The lowest is above the highest.")).toBeVisible();
  await axe(page);
  await byScore.getByRole("spinbutton", { name: "At most" }).fill("90");
  await byScore.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "ICP score 70 to 90")).toBeVisible();
  await expect(page).toHaveURL(/min_icp_score=70/);
  await expect(page).toHaveURL(/max_icp_score=90/);
  await expect(page.getByText("No person matches this search.")).toBeVisible();
});

test("people are filtered by their company, by title and by who was not contacted, by keyboard", async ({
  page,
  app,
  owner,
}) => {
  const call = agentOf(app.baseURL, owner);
  const companies = [
    { domain: "acme.com", industry: "Fintech", employee_count: 120, country: "DE" },
    { domain: "umbra.io", industry: "Retail", employee_count: 9, country: "US" },
  ];
  for (const company of companies) await call("/v2/companies", company);
  const people = [
    { email: "anna@acme.com", first_name: "Anna", job_title: "Chief Financial Officer" },
    { email: "bob@acme.com", first_name: "Bob", job_title: "CTO" },
    { email: "carla@umbra.io", first_name: "Carla", job_title: "CFO" },
  ];
  await call("/v2/people/bulk", { people });
  await call("/api/v1/capture", { email: "bob@acme.com", type: "email_sent" });
  await signInTo(page, owner, "people");
  await expect(page.getByText("3 people", { exact: true })).toBeVisible();

  const find = async (words: string) => {
    await chip(page, "Filter").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Find a filter" })).toBeFocused();
    await page.keyboard.type(words);
  };
  await find("nothing like it");
  await expect(page.getByText("No filter has that name.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(chip(page, "Filter")).toBeFocused();

  await find("company");
  await axe(page);
  await shoot(page, "filter-menu");
  await page.keyboard.type(" ind");
  await page.keyboard.press("Enter");
  const byCompany = page.getByRole("dialog", { name: "Filter by company industry" });
  await expect(byCompany.getByRole("checkbox", { name: "Fintech" })).toBeVisible();
  await axe(page);
  await shoot(page, "filter-company");
  await page.keyboard.type("fintech");
  await page.keyboard.press("Enter");
  await expect(chip(page, "Company industry: Fintech")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);

  await find("position");
  await page.keyboard.press("Enter");
  const byTitle = page.getByRole("dialog", { name: "Filter by title" });
  await expect(byTitle.getByText("By meaning: CFO also finds")).toBeVisible();
  await byTitle.getByRole("textbox", { name: "Find a value" }).fill("cfo");
  await expect(byTitle.getByRole("checkbox", { name: "CFO", exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(chip(page, "Title: CFO")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText("Anna");

  await page.getByRole("button", { name: "Remove the filter Title: CFO" }).click();
  await find("contacted");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "30 days", exact: true }).press("Enter");
  await expect(chip(page, "Not contacted for 30 days")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);

  await find("region");
  await page.keyboard.press("Enter");
  const byRegion = page.getByRole("dialog", { name: "Filter by company region" });
  await byRegion.getByRole("checkbox", { name: "DACH" }).click();
  await byRegion.getByRole("button", { name: "Apply" }).click();
  await expect(chip(page, "Company region: DACH")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(chip(page, "Company region: DACH")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await axe(page);
  await shoot(page, "filter-company-chips");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const file = await (await download).createReadStream();
  const text = (await file.toArray()).join("");
  expect(text).toContain("anna@acme.com");
  expect(text).not.toContain("bob@acme.com");
});

test("three conditions need six clicks, and what was ticked is kept", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await expect(page.getByText("120 people", { exact: true })).toBeVisible();
  // Where columns are left out, the others fill the table.
  await page.setViewportSize({ width: 1024, height: 900 });
  const columns = () =>
    peopleTable(page).evaluate((table) => {
      const heads = [...table.querySelectorAll("th")];
      const shown = heads.filter((head) => head.offsetParent !== null);
      const end = (part?: Element) => Math.round(part?.getBoundingClientRect().right ?? 0);
      return { leftOut: heads.length - shown.length, room: end(table) - end(shown.at(-1)) };
    });
  await expect.poll(columns).toEqual({ leftOut: expect.any(Number), room: 0 });
  expect((await columns()).leftOut).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  let clicks = 0;
  const click = async (target: ReturnType<typeof chip>) => {
    clicks += 1;
    await target.click();
  };
  const add = async (field: string, label: string, value: string) => {
    await click(chip(page, "Filter"));
    await page.keyboard.type(field);
    await expect(page.getByRole("search").getByRole("listitem").first()).toHaveText(label);
    await page.keyboard.press("Enter");
    await click(page.getByRole("checkbox", { name: value, exact: true }));
  };
  // A property of the workspace is found by its name, like a filter of its own.
  await add("region", "Region", "DACH");
  await page.keyboard.press("Enter");
  await expect(chip(page, "Region: DACH")).toBeVisible();
  await add("funnel", "Stage", "Client");
  // The counts are those of the list with its other filters.
  const stage = (name: string) =>
    page.getByRole("list", { name: "Stage" }).getByRole("listitem").filter({ hasText: name });
  await expect(stage("Identified")).toContainText("58");
  await expect(stage("Client")).toContainText("0");
  await page.keyboard.press("Escape");
  await expect(chip(page, "Stage: Client")).toBeVisible();
  await add("source", "Source", "CRM");
  await expect(page.getByText("Counted among all people, whatever the other filters.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chip(page, "Source: CRM")).toBeVisible();
  expect(clicks).toBe(6);
  await page.getByRole("button", { name: "Clear all" }).click();

  // A value of a closed list is found too, even by someone who types faster than the menu opens.
  await chip(page, "Filter").evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    for (const key of [..."clie", "Enter"]) {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      if (button.dispatchEvent(event) && key === "Enter") button.click();
    }
  });
  await expect(chip(page, "Stage: Client")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/people?created_after=2026-01-02T00:00:00.000Z`);
  await expect(chip(page, "Created since Jan 2, 2026")).toBeVisible();
});

test("people are sorted by a press on a column", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  const table = peopleTable(page);
  const header = (name: string) => table.getByRole("columnheader", { name, exact: true });
  await header("Name").getByRole("button").click();
  await expect(header("Name")).toHaveAttribute("aria-sort", "ascending");
  await expect(rows(page).nth(1)).toContainText("Person 000");
  await header("Name").getByRole("button").click();
  await expect(header("Name")).toHaveAttribute("aria-sort", "descending");
  await expect(rows(page).nth(1)).toContainText("Person 119");
  await header("Stage").getByRole("button").click();
  await expect(header("Stage")).toHaveAttribute("aria-sort", "descending");
  await expect(rows(page).nth(1)).toContainText("Client");
  await expect(page).toHaveURL(/sort=stage_desc/);
  await page.reload();
  await expect(rows(page).nth(1)).toContainText("Client");
  await header("Stage").getByRole("button").click();
  await expect(rows(page).nth(1)).toContainText("Identified");
  await axe(page);
});

test("people are filtered by who owns them, and sorted where there are no heads of columns", async ({
  page,
  app,
  owner,
}) => {
  await fill(app.baseURL, owner);
  await agentOf(app.baseURL, owner)("/v2/people", { email: "person7@gmail.com", owner: owner.owner_email });
  await signInTo(page, owner, "people");
  await expect(page.getByText("120 people", { exact: true })).toBeVisible();
  await chip(page, "Filter").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Owner", exact: true }).click();
  const byOwner = page.getByRole("dialog", { name: "Filter by owner" });
  await expect(byOwner.getByRole("button", { name: "No one" })).toBeVisible();
  await byOwner.getByRole("button", { name: owner.owner_email }).click();
  await expect(chip(page, `Owner: ${owner.owner_email}`)).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: `Remove the filter Owner: ${owner.owner_email}` }).click();

  await page.setViewportSize({ width: 390, height: 844 });
  const cards = page.getByRole("list", { name: "people" }).getByRole("listitem");
  await expect(cards.first()).toBeVisible();
  await page.getByRole("button", { name: "Sort: Last activity, newest first" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "Name, A to Z" })).toBeFocused();
  await axe(page);
  await shoot(page, "sort-menu");
  await page.getByRole("menuitemradio", { name: "Name, Z to A" }).press("Enter");
  await expect(cards.first()).toContainText("Person 119");
  await expect(page).toHaveURL(/sort=name_desc/);
  await expect(page.getByRole("button", { name: "Sort: Name, Z to A" })).toBeFocused();
});
