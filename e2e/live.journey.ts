/** What happens elsewhere appears on open pages by itself: the account page, the feed, in several tabs. */
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("an activity appears on the account page and in the feed the moment it is captured", async ({
  page,
  context,
  app,
  owner,
}) => {
  test.slow();
  const capture = (type: string, description: string) =>
    agentOf(app.baseURL, owner)("/api/v1/capture", { email: "anna@acme.com", type, description });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/activity`);
  await expect(page.getByText("the moment agents and integrations report them")).toBeVisible();
  await axe(page);
  await shoot(page, "activity-empty");

  const { contact_id } = await capture("email_received", "Asks what a seat costs");
  await expect(page.getByText("Asks what a seat costs")).toBeVisible();

  const account = await context.newPage();
  await account.goto(`/${owner.workspace_id}/accounts/${contact_id}`);
  await expect(account.getByText("Asks what a seat costs")).toBeVisible();
  await capture("meeting_held", "Walked through the pilot");
  await expect(account.getByText("Walked through the pilot")).toBeVisible();
  await expect(account.getByRole("main").getByText("Evaluating").first()).toBeVisible();

  // The feed was in the background: it asks for what it missed when it is seen again.
  await page.bringToFront();
  await expect(page.getByText("Walked through the pilot")).toBeVisible();
  await axe(page);
  await shoot(page, "activity");
  await page.getByRole("combobox", { name: "Type of activity" }).click();
  await page.getByRole("option", { name: "Meeting held" }).click();
  await expect(page).toHaveURL(/type=meeting_held/);
  await expect(page.getByText("Asks what a seat costs")).toBeHidden();
  await page.getByRole("link", { name: "anna@acme.com" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/accounts/${contact_id}`));
});
