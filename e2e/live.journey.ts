/** What happens elsewhere appears on open pages by itself: the account page, the feed, in several tabs. */
import { agentOf, axe, expect, shoot, signIn, test, tryAgain } from "./fixture.ts";

test("an activity appears on the account page and in the feed the moment it is captured", async ({
  page,
  context,
  app,
  owner,
  allowErrors,
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

  // Nothing is lost while the page loads: here the activity is captured before the page begins to listen.
  const account = await context.newPage();
  let listen = () => {};
  const mayListen = new Promise<void>((resolve) => {
    listen = resolve;
  });
  await account.route("**/live?**", (route) => mayListen.then(() => route.continue()));
  await account.goto(`/${owner.workspace_id}/accounts/${contact_id}`);
  await expect(account.getByText("Asks what a seat costs")).toBeVisible();
  await capture("note", "Came in between");
  listen();
  await expect(account.getByText("Came in between")).toBeVisible();
  await capture("meeting_held", "Walked through the pilot");
  await expect(account.getByText("Walked through the pilot")).toBeVisible();
  await expect(account.getByRole("main").getByText("Evaluating").first()).toBeVisible();

  // The old data stays on the page when it cannot be refreshed.
  allowErrors("401 (Unauthorized)");
  const refused = { error: "unauthorized", message: "Sign in to continue." };
  await account.route("**/timeline**", (route) => route.fulfill({ status: 401, json: refused }));
  await capture("call", "Rang about the price");
  await expect(account.getByText("The timeline could not be refreshed")).toBeVisible();
  await expect(account.getByText("Walked through the pilot")).toBeVisible();
  await axe(account);
  await shoot(account, "account-timeline-stale");
  await tryAgain(account.getByRole("tabpanel", { name: "Timeline" }), () => account.unroute("**/timeline**"));
  await expect(account.getByText("Rang about the price")).toBeVisible();
  await expect(account.getByText("The timeline could not be refreshed")).toBeHidden();

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
