/** Saved views: the state of a list, saved under a name, shared, changed and deleted, also by keyboard. */
import { agentOf, axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

/** The page listens: cards for narrow screens are gone once the width is known, and a click before that may be lost. */
const alive = (page: Page) =>
  expect(page.getByRole("list", { name: "people", includeHidden: true, exact: true })).toHaveCount(0);

const rows = (page: Page) => page.getByRole("table", { name: "people" }).getByRole("row");

test("a view of the people is saved, opened by keyboard, changed, shared, renamed and deleted", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  const stages = ["identified", "aware", "evaluating", "evaluating"];
  await send("/v2/people/bulk", {
    people: stages.map((pipeline_stage, n) => ({
      email: `p${n}@kestrel.app`,
      first_name: `Person ${n}`,
      pipeline_stage,
    })),
  });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people?pipeline_stage=evaluating&cols=email`);
  await expect(rows(page)).toHaveCount(3);
  await alive(page);
  await page.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save a view" });
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog.getByText("Enter a name for the view.")).toBeVisible();
  await axe(page);
  await shoot(page, "view-save");
  await dialog.getByLabel("Name").fill("In evaluation");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const menu = (name: string) => page.getByRole("button", { name: `View: ${name}`, exact: true });
  await expect(menu("In evaluation")).toBeVisible();
  await expect(page).toHaveURL(/view=[0-9a-f-]{36}/);

  // Clears everything again, then restores it by keyboard alone.
  await menu("In evaluation").click();
  await page.getByRole("menuitemradio", { name: "All people" }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(page).toHaveURL(/\/people$/);
  await page.keyboard.press("v");
  await expect(page.getByRole("menuitemradio", { name: "All people" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "In evaluation" })).toBeFocused();
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(3);
  await page.reload();
  await expect(menu("In evaluation")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await alive(page);

  await page.getByRole("button", { name: "Remove the filter Stage: Evaluating" }).click();
  await expect(menu("In evaluation, changed")).toBeVisible();
  await menu("In evaluation, changed").click();
  await shoot(page, "view-menu");
  await page.getByRole("menuitem", { name: "Back to the saved view" }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Remove the filter Stage: Evaluating" }).click();
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(page.getByText("In evaluation shows this now.")).toBeVisible();
  await expect(menu("In evaluation")).toBeVisible();

  await menu("In evaluation").click();
  await page.getByRole("menuitem", { name: "Share with the workspace" }).click();
  await expect(page.getByText("Everyone here sees In evaluation now.")).toBeVisible();
  await menu("In evaluation").click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Everyone's e-mail");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(menu("Everyone's e-mail")).toBeVisible();

  await menu("Everyone's e-mail").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(menu("All people")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(menu("Everyone's e-mail")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/companies`);
  await expect(menu("All companies")).toBeVisible();
});
