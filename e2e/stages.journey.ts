/** Activities logged by hand, the stages they lead to, and the rules that say so. */
import { agentOf, axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Log an activity" });
const timeline = (page: Page) => page.getByRole("tabpanel", { name: "Timeline" }).getByRole("listitem");
const standing = (page: Page) => page.getByRole("list", { name: "Stage" }).locator("[aria-current=step]");
const choose = async (page: Page, within: ReturnType<Page["getByRole"]>, name: string, option: string) => {
  await within.getByRole("combobox", { name }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

test("a call and a meeting are logged, and the meeting moves the stage", async ({ page, app, owner }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@harbour.io", first_name: "Anna", last_name: "Smith" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/anna@harbour.io`);
  await expect(page.getByRole("heading", { name: "Anna Smith", level: 1 })).toBeVisible();
  await shoot(page, "account-log-button");

  await page.keyboard.press("l");
  await expect(dialogOf(page).getByLabel("What happened")).toBeFocused();
  await axe(page);
  await dialogOf(page).getByLabel("What happened").fill("Asked for the security paper");
  await dialogOf(page).getByLabel("When").fill("2099-01-01T09:00");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(dialogOf(page).getByText("That has not come yet.")).toBeVisible();
  await axe(page);
  await shoot(page, "log-activity");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await dialogOf(page).getByLabel("When").fill(`${yesterday}T09:30`);
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("The activity is logged.", { exact: true })).toBeVisible();
  await expect(dialogOf(page)).toBeHidden();
  await expect(timeline(page)).toHaveCount(1);
  await expect(timeline(page)).toContainText("Call");
  await expect(timeline(page)).toContainText("09:30");
  await expect(timeline(page)).toContainText("Asked for the security paper");
  await expect(standing(page)).toHaveText("Identified");

  await page.getByRole("button", { name: "Log activity" }).click();
  await choose(page, dialogOf(page), "Type", "Something else");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(dialogOf(page).getByText("Say what happened in a word or two.")).toBeVisible();
  await shoot(page, "log-activity-custom");
  await axe(page);
  await choose(page, dialogOf(page), "Type", "Meeting held");
  await dialogOf(page).getByLabel("What happened").fill("Showed the pilot");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("The activity is logged. Anna Smith moved to Evaluating.")).toBeVisible();
  await expect(timeline(page).filter({ hasText: "Meeting held" })).toContainText("Showed the pilot");
  await expect(standing(page)).toHaveText("Evaluating");
});
