/** A member whose account the operator disabled: out at once, and marked on the page of members. */
import { axe, expect, inviteGrace, rapport, shoot, signIn, test } from "./fixture.ts";

test("a member who is disabled is signed out and marked, and comes back when enabled", async ({
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
  await rapport(app, "admin", "user", "disable", address);
  await grace.reload();
  await expect(grace).toHaveURL(/\/sign-in/);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  const row = page.getByRole("listitem").filter({ hasText: address });
  await expect(row.getByText("Cannot sign in")).toBeVisible();
  await axe(page);
  await shoot(page, "disabled-member");
  await rapport(app, "admin", "user", "enable", address);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(row.getByText("Cannot sign in")).toBeHidden();
});
