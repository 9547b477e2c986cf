/** How a list is arranged: its columns by pointer and keyboard, kept in the browser and in a view; a view in the sidebar. */
import { agentOf, axe, expect, type Page, peopleTable, shoot, signIn, test } from "./fixture.ts";

const heads = (page: Page) => peopleTable(page).getByRole("columnheader");
const head = (page: Page, name: string) => heads(page).filter({ hasText: name });

/** The columns that a list begins with, with the title moved, and with one of a property. */
const standard = ["", "Name", "Title", "Company", "Stage", "Last activity", "12 weeks", "E-mail"];
const moved = ["", "Name", "Company", "Stage", "Title", "Last activity", "12 weeks", "E-mail"];
const withRegion = moved.toSpliced(-1, 0, "Region");

async function boxOf(page: Page, name: string) {
  const box = await head(page, name).boundingBox();
  if (!box) throw new Error(`the column ${name} is not in sight`);
  return box;
}

test("columns are moved, resized and chosen, and a view with them is pinned", async ({ page, app, owner }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people/bulk", {
    people: [
      { email: "anna@kestrel.app", first_name: "Anna", job_title: "CTO", pipeline_stage: "client", region: "DACH" },
      { email: "ben@kestrel.app", first_name: "Ben", job_title: "CFO" },
    ],
  });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people?pipeline_stage=identified`);
  await expect(heads(page)).toHaveText(standard);

  // By pointer: a column to another place, and wider.
  const [title, stage] = [await boxOf(page, "Title"), await boxOf(page, "Stage")];
  await page.mouse.move(title.x + 20, title.y + 10);
  await page.mouse.down();
  await page.mouse.move(stage.x + stage.width - 10, stage.y + 10, { steps: 6 });
  await page.mouse.up();
  await expect(heads(page)).toHaveText(moved);
  const before = await boxOf(page, "Company");
  const line = page.getByRole("separator", { name: "Width of Company" });
  const at = await line.boundingBox();
  if (!at) throw new Error("there is no line after Company");
  await page.mouse.move(at.x + at.width / 2, at.y + 10);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 60, at.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/widths=company/);
  expect((await boxOf(page, "Company")).width - before.width).toBeGreaterThan(50);

  // By keyboard: narrower again, and a column of a property that no row in sight has, moved up.
  await line.focus();
  for (let n = 0; n < 5; n++) await page.keyboard.press("ArrowLeft");
  await expect.poll(async () => (await boxOf(page, "Company")).width - before.width).toBeLessThan(20);
  await page.getByRole("button", { name: "Columns" }).click();
  const region = page.getByRole("menuitemcheckbox", { name: "Region" });
  await region.focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeChecked();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(heads(page)).toHaveText(withRegion);
  await axe(page);
  await page.keyboard.press("Escape");
  await shoot(page, "columns");

  // Kept in the browser when the list is opened again.
  await page.goto(`/${owner.workspace_id}/people`);
  await expect(heads(page)).toHaveText(withRegion);
  await expect(peopleTable(page).getByRole("row", { name: /Anna/ })).toContainText("DACH");

  // In a view, which is pinned and found in the palette.
  await page.goto(`/${owner.workspace_id}/people?pipeline_stage=client&cols=property.region,email`);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog", { name: "Save a view" }).getByLabel("Name").fill("Our clients");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "View: Our clients" }).click();
  await page.getByRole("menuitem", { name: "Pin to the sidebar" }).click();
  const pinned = page.getByRole("list", { name: "Pinned views of People" }).getByRole("link", { name: "Our clients" });
  await expect(pinned).toBeVisible();
  await axe(page);
  await shoot(page, "pinned-view");
  await page.goto(`/${owner.workspace_id}/companies`);
  await pinned.click();
  await expect(heads(page)).toHaveText(["", "Name", "Region", "E-mail"]);
  await expect(peopleTable(page).getByRole("row", { name: /Anna/ })).toBeVisible();
  await expect(pinned).toHaveAttribute("aria-current", "true");
  await page.getByRole("button", { name: "View: Our clients" }).click();
  await page.getByRole("menuitem", { name: "Remove from the sidebar" }).click();
  await expect(pinned).toBeHidden();

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitem", { name: "Standard columns" }).click();
  await expect(heads(page)).toHaveText(standard);
});
