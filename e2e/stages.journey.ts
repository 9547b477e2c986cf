/** Activities logged by hand, the stages they lead to, and the rules for that. */
import { agentOf, axe, expect, inviteGrace, type Page, shoot, signIn, test } from "./fixture.ts";

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
  // Opened by an address, the page has its own one in a moment, and is loaded once.
  const loaded: string[] = [];
  page.on("request", (request) => void (request.resourceType() === "document" && loaded.push(request.url())));
  await page.goto(`/${owner.workspace_id}/accounts/anna@harbour.io`);
  await expect(page.getByRole("heading", { name: "Anna Smith", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
  await shoot(page, "account-log-button");

  await page.keyboard.press("l");
  await expect(dialogOf(page).getByLabel("What happened")).toBeFocused();
  await axe(page);
  expect(loaded).toHaveLength(1);
  await dialogOf(page).getByLabel("What happened").fill("Asked for the security paper");
  await dialogOf(page).getByLabel("When").fill("2099-01-01T09:00");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(dialogOf(page).getByText("That is in the future.")).toBeVisible();
  await axe(page);
  await shoot(page, "log-activity");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await dialogOf(page).getByLabel("When").fill(`${yesterday}T09:30`);
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("Activity logged.", { exact: true })).toBeVisible();
  await expect(dialogOf(page)).toBeHidden();
  await expect(timeline(page)).toHaveCount(1);
  await expect(timeline(page)).toContainText("Call");
  await expect(timeline(page)).toContainText(/9:30\sAM/);
  await expect(timeline(page)).toContainText("Asked for the security paper");
  await expect(standing(page)).toHaveText("Identified");

  await page.getByRole("button", { name: "Log activity" }).click();
  await choose(page, dialogOf(page), "Type", "Something else");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(dialogOf(page).getByText("Enter what happened, in a word or two.")).toBeVisible();
  await shoot(page, "log-activity-custom");
  await axe(page);
  await choose(page, dialogOf(page), "Type", "Meeting held");
  await dialogOf(page).getByLabel("What happened").fill("Showed the pilot");
  await dialogOf(page).getByRole("button", { name: "Log activity" }).click();
  await expect(page.getByText("Activity logged. Anna Smith moved to Evaluating.")).toBeVisible();
  await expect(timeline(page).filter({ hasText: "Meeting held" })).toContainText("Showed the pilot");
  await expect(standing(page)).toHaveText("Evaluating");
});

test("a rule is changed, previewed on past activities, saved, and reset", async ({ page, app, owner }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await send("/v2/people", { email: "anna@harbour.io", first_name: "Anna", last_name: "Smith" });
  await send("/api/v1/capture", { email: "anna@harbour.io", type: "call", occurred_at: ago(3) });
  await send("/api/v1/capture", { email: "ben@harbour.io", type: "email_sent", occurred_at: ago(2) });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/settings/stages`);
  const card = page.getByRole("region", { name: "Stage rules" }).first();
  const preview = page.getByRole("region", { name: "Preview" });
  const save = card.getByRole("button", { name: "Save rules" });
  const lookAt = card.getByRole("button", { name: "Preview" });
  await expect(card.getByText("Standard", { exact: true })).toBeVisible();
  await expect(save).toBeDisabled();
  await axe(page);
  await shoot(page, "stage-rules");
  await lookAt.click();
  await expect(preview.getByText(/^No one would move\./)).toBeVisible();

  await choose(page, card, "Call brings a person to", "Interested");
  await expect(card.getByText("Standard: no change")).toBeVisible();
  await expect(preview).toBeHidden();
  await card.getByRole("button", { name: "Add an event" }).click();
  await expect(card.getByLabel("Event 4", { exact: true })).toBeFocused();
  await card.getByLabel("Days that count").fill("0");
  await lookAt.click();
  await expect(card.getByText("Enter the name of the event.")).toBeVisible();
  await expect(card.getByText("Enter whole days, 1 to 36,500.")).toBeVisible();
  await expect(card.getByLabel("Event 4", { exact: true })).toBeFocused();
  await axe(page);
  await page.keyboard.type("contract_sent");
  await choose(page, card, "contract_sent brings a person to", "Evaluating");
  await card.getByLabel("Days that count").fill("60");
  await lookAt.click();
  await expect(preview.getByText(/^1 person would move\. 2 people were active/)).toBeVisible();
  await expect(preview.getByRole("list", { name: "Moves by stage" })).toHaveText(/Identified.*Interested.*1 person/);
  const mover = preview.getByRole("list", { name: "Who would move" }).getByRole("listitem");
  await expect(mover).toHaveCount(1);
  await expect(mover).toContainText("Call");
  await axe(page);
  await preview.scrollIntoViewIfNeeded();
  await shoot(page, "stage-rules-preview");

  // Leaving asks first, whichever way: a link, a shortcut, back.
  const question = page.getByRole("alertdialog", { name: "Leave without saving the rules?" });
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "People" }).click();
  await expect(question).toBeVisible();
  await axe(page);
  await shoot(page, "stage-rules-leave");
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("heading", { name: "Settings" }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(/settings\/stages$/);

  await card.getByRole("checkbox", { name: "Also move people now" }).check();
  await save.click();
  await expect(page.getByText("The rules are saved. 1 person moved.")).toBeVisible();
  await expect(card.getByText("Your own", { exact: true })).toBeVisible();
  await page.reload();
  await expect(card.getByRole("combobox", { name: "Call brings a person to" })).toHaveText("Interested");
  await expect(card.getByLabel("Days that count")).toHaveValue("60");
  await lookAt.click();
  await expect(preview.getByText(/^No one would move\./)).toBeVisible();

  await choose(page, card, "Call brings a person to", "Client");
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "People" }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(`/${owner.workspace_id}/people`);
  await page.goto(`/${owner.workspace_id}/settings/stages`);
  await expect(card.getByRole("combobox", { name: "Call brings a person to" })).toHaveText("Interested");

  await card.getByRole("button", { name: "Back to standard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Use the standard rules" }).click();
  await expect(card.getByText("Standard", { exact: true })).toBeVisible();
  await expect(card.getByRole("combobox", { name: "Call brings a person to" })).toHaveText("No change");
  await expect(card.getByLabel("Days that count")).toHaveValue("90");

  await page.goto(`/${owner.workspace_id}/accounts/anna@harbour.io`);
  await expect(standing(page)).toHaveText("Interested");
});

test("a member reads the rules; an answer that got lost leaves one activity", async ({
  page,
  app,
  owner,
  newVisitor,
  allowErrors,
}) => {
  test.slow();
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@harbour.io", first_name: "Anna", last_name: "Smith" });
  await signIn(page, owner);
  const grace = await newVisitor();
  await inviteGrace(page, grace, owner);
  await grace.goto(`/${owner.workspace_id}/settings/stages`);
  const rules = grace.getByRole("table", { name: "Stage rules" });
  await expect(rules.getByRole("row", { name: /^Meeting held/ })).toContainText("Evaluating");
  await expect(rules.getByRole("row", { name: /^deal_won/ })).toContainText("Client");
  await expect(grace.getByText("Admins can change them.")).toBeVisible();
  await expect(grace.getByRole("main").getByRole("combobox")).toHaveCount(0);
  await expect(grace.getByRole("button", { name: "Save rules" })).toHaveCount(0);
  await axe(grace);
  await shoot(grace, "stage-rules-member");

  await grace.goto(`/${owner.workspace_id}/accounts/anna@harbour.io`);
  await grace.getByRole("button", { name: "Log activity" }).click();
  await dialogOf(grace).getByLabel("What happened").fill("Rang back");
  allowErrors("ERR_FAILED");
  await grace.route("**/api/v1/capture", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialogOf(grace).getByRole("button", { name: "Log activity" }).click();
  await expect(dialogOf(grace).getByText(/^The server cannot be reached/)).toBeVisible();
  await grace.unroute("**/api/v1/capture");
  await dialogOf(grace).getByRole("button", { name: "Log activity" }).click();
  await expect(grace.getByText("This was already logged.")).toBeVisible();
  await expect(timeline(grace)).toHaveCount(1);
  await expect(grace.getByRole("button", { name: "Log activity" })).toBeFocused();
});
