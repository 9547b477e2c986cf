/** The same change of all that match: picked, done by a job with progress, undone; and people of another workspace stay. */
import { agentOf, axe, expect, type Page, peopleTable, shoot, signIn, test } from "./fixture.ts";

const PEOPLE = 260;
const people = (count: number) => ({
  people: Array.from({ length: count }, (_, n) => ({
    email: `p${n}@kestrel.app`,
    first_name: `Person ${n}`,
    ...(n < 250 ? { region: "DACH" } : {}),
  })),
});

const bar = (page: Page) => page.getByRole("region", { name: "Selection" });
const changes = (page: Page) => page.getByRole("region", { name: "Changes of many records" });

test("all people that match are moved, archived and put back", async ({ page, app, owner, createOwner }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people/bulk", people(PEOPLE));
  const other = await createOwner();
  await agentOf(app.baseURL, other)("/v2/people/bulk", people(3));
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people?property=region%3DDACH`);
  await expect(peopleTable(page).getByRole("row").nth(3)).toBeVisible();

  await page.getByRole("checkbox", { name: /^Select all/ }).click();
  await expect(bar(page).getByRole("status")).toHaveText("100 selected");
  await bar(page)
    .getByRole("button", { name: /^Select all [\d,]+\+? people$/ })
    .click();
  await expect(bar(page).getByRole("status")).toHaveText(/^All [\d,]+\+? people$/);
  await axe(page);
  await shoot(page, "bulk-selected");
  await bar(page).getByRole("button", { name: "Stage" }).click();
  await page.getByRole("menuitemradio", { name: "Evaluating" }).click();
  await expect(bar(page)).toBeHidden();
  await expect(changes(page).getByText("250 people moved to Evaluating.")).toBeVisible({ timeout: 30_000 });
  await expect(
    peopleTable(page)
      .getByRole("button", { name: /Stage of Person \d+: Evaluating/ })
      .first(),
  ).toBeVisible();
  await axe(page);
  await shoot(page, "bulk-done");

  // Someone changes one of them since: it stays.
  await send("/v2/people", { email: "p7@kestrel.app", pipeline_stage: "client" });
  await page.reload();
  await changes(page).getByRole("button", { name: "Undo" }).click();
  await expect(changes(page).getByText("Undone for 249 people. 1 was changed since and stays as it is.")).toBeVisible({
    timeout: 30_000,
  });
  await expect(
    peopleTable(page)
      .getByRole("button", { name: /Stage of Person \d+: Identified/ })
      .first(),
  ).toBeVisible();
  await changes(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(changes(page)).toBeHidden();

  await page.goto(`/${owner.workspace_id}/people`);
  await page.getByRole("checkbox", { name: /^Select all/ }).click();
  await bar(page)
    .getByRole("button", { name: /^Select all [\d,]+\+? people$/ })
    .click();
  await bar(page).getByRole("button", { name: "Archive" }).click();
  await expect(changes(page).getByText(`${PEOPLE} people archived.`)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/Everyone you sell to/)).toBeVisible();
  await changes(page).getByRole("button", { name: "Undo" }).click();
  await expect(changes(page).getByText(`Undone for ${PEOPLE} people.`)).toBeVisible({ timeout: 30_000 });
  await expect(peopleTable(page).getByRole("row").nth(3)).toBeVisible();

  // A small selection goes the short way, and can be undone as well.
  await page
    .getByRole("checkbox", { name: /^Select Person/ })
    .first()
    .click();
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
  await expect(bar(page).getByRole("button", { name: /^Select all [\d,]+\+? people$/ })).toBeHidden();
  await bar(page).getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(peopleTable(page).getByRole("row").nth(3)).toBeVisible();
});
