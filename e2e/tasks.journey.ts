/** Tasks on an account and on Home, and who owns a record. */
import { agentOf, axe, expect, type Owner, shoot, signIn, test, tryAgain, undo } from "./fixture.ts";

const ANNA = "anna.smith@acmeworks.com";
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function fill(baseURL: string, owner: Owner) {
  const send = agentOf(baseURL, owner);
  await send("/v2/people", { email: ANNA, first_name: "Anna", last_name: "Smith", job_title: "Head of Sales" });
  await send("/v2/people", { email: "bob@beta.example", first_name: "Bob", last_name: "Jones" });
  return send;
}

test("tasks are added, changed, ticked and deleted beside an account", async ({ page, app, owner, allowErrors }) => {
  test.slow();
  allowErrors(/Failed to load resource/, /503/);
  const send = await fill(app.baseURL, owner);
  await signIn(page, owner);
  await page.route("**/v2/tasks?**", (route) =>
    route.fulfill({ status: 503, json: { error: "database_unavailable", message: "Try again." } }),
  );
  await page.goto(`/${owner.workspace_id}/accounts/${ANNA}`);
  const tasks = page.getByRole("region", { name: "Tasks" });
  await expect(tasks.getByText("Tasks could not be loaded")).toBeVisible({ timeout: 30_000 });
  await axe(page);
  await shoot(page, "account-tasks-error");
  await tryAgain(tasks, () => page.unroute("**/v2/tasks?**"));
  await expect(tasks.getByText("Tasks that you or agents add")).toBeVisible();
  await axe(page);
  await shoot(page, "account-tasks-empty");

  // By the keyboard alone.
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Add task" });
  await expect(dialog.getByLabel("Task", { exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter what is to be done.")).toBeVisible();
  await page.keyboard.type("Send the offer");
  await page.keyboard.press("Tab");
  await page.keyboard.type("someday");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter a day such as tomorrow")).toBeVisible();
  await axe(page);
  await shoot(page, "task-dialog");
  await dialog.getByLabel("Due").fill("tomorrow 15:00");
  await expect(dialog.getByText(/Tomorrow 3:00\sPM/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const offer = tasks.getByRole("listitem").filter({ hasText: "Send the offer" });
  await expect(offer).toContainText(/Tomorrow 3:00\sPM/);
  await expect(offer).toContainText(owner.owner_email);

  // What an agent adds appears by itself.
  await send("/v2/tasks", { title: "Ask about the budget", focus: ANNA, due: day(-2), assignee: owner.owner_email });
  const budget = tasks.getByRole("listitem").filter({ hasText: "Ask about the budget" });
  await expect(budget).toContainText("Overdue");
  await axe(page);
  await shoot(page, "account-tasks");

  await budget.hover();
  await budget.getByRole("button", { name: "Change “Ask about the budget”" }).click();
  const change = page.getByRole("dialog", { name: "Change task" });
  await change.getByLabel("Task", { exact: true }).fill("Ask about the budget of 2027");
  await change.getByLabel("Due").fill("");
  await change.getByLabel("Assigned to").click();
  await page.getByRole("option", { name: "No one" }).click();
  await change.getByRole("button", { name: "Save" }).click();
  await expect(budget).toContainText("Not assigned");
  await expect(budget).not.toContainText("Overdue");

  await offer.getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await expect(offer).toBeHidden();
  await undo(page, "is done");
  await expect(offer).toBeVisible();
  await offer.getByRole("checkbox").click();
  await expect(offer).toBeHidden();
  await tasks.getByRole("button", { name: "Show what is done" }).click();
  await expect(tasks.getByRole("checkbox", { name: "Done: Send the offer" })).toBeChecked();
  await axe(page);

  await budget.hover();
  await budget.getByRole("button", { name: /^Delete/ }).click();
  await expect(budget).toBeHidden();
  await undo(page, "is deleted");
  await expect(budget).toContainText("Not assigned");
  await page.getByRole("tab", { name: "What agents see" }).click();
  await expect(page.getByText("OPEN TASKS").first()).toBeVisible();
});

test("Home shows what is overdue, due today and next, and two tabs agree", async ({ page, context, app, owner }) => {
  test.slow();
  const send = await fill(app.baseURL, owner);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  const mine = page.getByRole("region", { name: "My tasks" });
  await expect(mine.getByText("Tasks that are assigned to you")).toBeVisible();
  await axe(page);
  await shoot(page, "home-tasks-empty");
  const assignee = owner.owner_email;
  await send("/v2/tasks", { title: "Call back", focus: ANNA, due: day(-3), assignee });
  await send("/v2/tasks", { title: "Send the minutes", focus: "bob@beta.example", due: day(0), assignee });
  await send("/v2/tasks", { title: "Prepare the review", due: day(9), assignee });
  await send("/v2/tasks", { title: "Of no one", due: day(0) });
  await expect(mine.getByRole("region", { name: "Overdue" })).toContainText("Call back");
  await expect(mine.getByRole("region", { name: "Due today" })).toContainText("Send the minutes");
  await expect(mine.getByRole("region", { name: "Next" })).toContainText("Prepare the review");
  await expect(mine.getByText("Of no one")).toBeHidden();
  await axe(page);
  await shoot(page, "home-tasks");

  const other = await context.newPage();
  await other.goto(`/${owner.workspace_id}/home`);
  const there = other.getByRole("region", { name: "My tasks" });
  await there.getByRole("checkbox", { name: "Done: Call back" }).click();
  await expect(there.getByText("Call back", { exact: true })).toBeHidden();
  await page.bringToFront();
  await expect(mine.getByText("Call back", { exact: true })).toBeHidden();
  await other.close();
});

test("a record is given to a member, and the list shows whose it is", async ({ page, app, owner }) => {
  test.slow();
  await fill(app.baseURL, owner);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/${ANNA}`);
  const button = page.getByRole("button", { name: /^Owner: / });
  await expect(button).toContainText("No owner");
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: owner.owner_email })).toBeVisible();
  await axe(page);
  await shoot(page, "owner-menu");
  await page.getByRole("menuitemradio", { name: owner.owner_email }).click();
  await expect(button).toContainText(owner.owner_email);
  await undo(page, "owns Anna Smith now");
  await expect(button).toContainText("No owner");
  await expect(page.getByText("owns Anna Smith now")).toBeHidden();
  await button.click();
  await page.getByRole("menuitemradio", { name: owner.owner_email }).click();
  await expect(button).toContainText(owner.owner_email);

  await page.goto(`/${owner.workspace_id}/people`);
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows.filter({ hasText: "Bob Jones" })).toBeVisible();
  await expect(rows.filter({ hasText: "Anna Smith" })).toContainText(owner.owner_email);
  await rows.filter({ hasText: "Bob Jones" }).getByRole("checkbox").click();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByRole("button", { name: "Owner" }).click();
  await shoot(page, "people-owner");
  await page.getByRole("menuitem", { name: owner.owner_email }).click();
  await expect(rows.filter({ hasText: "Bob Jones" })).toContainText(owner.owner_email);
  await undo(page, "Bob Jones given to");
  await expect(rows.filter({ hasText: "Bob Jones" })).not.toContainText(owner.owner_email);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Mine" }).click();
  await expect(rows.filter({ hasText: "Bob Jones" })).toBeHidden();
  await expect(page.getByText("Owner: Me")).toBeVisible();
  await expect(page).toHaveURL(/owner=me/);
  await axe(page);
  await shoot(page, "people-mine");
  await page.getByRole("button", { name: "Remove the filter Owner: Me" }).click();
  await expect(rows.filter({ hasText: "Bob Jones" })).toBeVisible();
});
