/** A member whose account the operator disabled: out at once, marked on the page of members, and with what they own to be handed over. */
import { agentOf, axe, expect, inviteGrace, rapport, shoot, signIn, test } from "./fixture.ts";

test("a member who is disabled is signed out and marked, what they own is handed over, and they come back when enabled", async ({
  app,
  page,
  owner,
  newVisitor,
  allowErrors,
}) => {
  allowErrors("status of 401"); // the open page whose session ended may ask for news
  await signIn(page, owner);
  const grace = await newVisitor();
  await inviteGrace(page, grace, owner);
  const address = `grace-${owner.workspace_id}@acme.example`;
  const post = agentOf(app.baseURL, owner);
  for (const n of [1, 2]) await post("/v2/people", { email: `anna${n}@acme.com`, owner: address });
  await post("/v2/companies", { domain: "hooli.com", owner: address });
  await post("/v2/tasks", { title: "Call Anna", assignee: address });
  await rapport(app, "admin", "user", "disable", address);
  await grace.reload();
  await expect(grace).toHaveURL(/\/sign-in/);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  const row = page.getByRole("region", { name: "Members" }).getByRole("listitem").filter({ hasText: address });
  await expect(row.getByText("Cannot sign in")).toBeVisible();
  const left = page.getByRole("region", { name: "To hand over" });
  await expect(left).toContainText("2 people, 1 company, 1 open task");
  await axe(page);
  await shoot(page, "disabled-member");

  await row.getByRole("button", { name: "Remove Grace Hopper" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("They own 2 people, 1 company, 1 open task.");
  await shoot(page, "remove-owner");
  await question.getByRole("button", { name: "Cancel" }).click();
  await left.getByRole("link", { name: "2 people" }).click();
  await expect(page.getByRole("main")).toContainText("anna1@acme.com");
  await page.goBack();

  await rapport(app, "admin", "user", "enable", address);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(row.getByText("Cannot sign in")).toBeHidden();
  await expect(left).toBeHidden();
});
