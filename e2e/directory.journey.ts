/** A company's directory manages the members. */
import { axe, expect, shoot, signIn, test } from "./fixture.ts";

test("an owner connects a directory, its people are members, and a group of it gives a role", async ({
  app,
  owner,
  page,
  newVisitor,
}) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  const card = page.getByRole("region", { name: "Directory" });
  await expect(card.getByText(`${app.baseURL}/scim/v2`)).toBeVisible();
  await expect(card.getByText("active")).toBeHidden();
  await card.getByRole("link", { name: "API keys" }).click();

  await expect(page).toHaveURL(/\/api-keys$/);
  await page.goto(`/${owner.workspace_id}/api-keys?new=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Okta");
  await dialog.getByRole("radio", { name: /^Directory/ }).click();
  await expect(dialog.getByText("Writes need approval")).toBeHidden();
  await axe(page);
  await shoot(page, "api-key-directory");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await dialog.getByText(/^rpt_\w{6}_\w{38}$/).textContent()) ?? "";
  await expect(dialog.getByText("Try it")).toBeHidden();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Copied, done" }).click();
  await expect(page.getByRole("row", { name: /Okta/ })).toContainText("Directory");

  const send = async (path: string, body: unknown) => {
    const answer = await fetch(`${app.baseURL}/scim/v2${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/scim+json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const person = { userName: `grace-${owner.workspace_id}@acme.example`, displayName: "Grace Hopper", active: true };
  const { id } = await send("/Users", person);
  await send("/Groups", { displayName: "Sales operations", members: [{ value: id }] });

  // Grace has an account now, so she does not sign up: the page says what she does instead.
  const grace = await newVisitor();
  await grace.goto("/sign-up");
  await expect(grace.getByText("Did your company add you already?")).toBeVisible();
  await axe(grace);
  await shoot(grace, "sign-up-closed");
  await grace.getByRole("link", { name: "set a password" }).click();
  await expect(grace.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await expect(grace.getByText("npx rapport admin user reset-password")).toBeVisible();
  await grace.close();

  await page.goto(`/${owner.workspace_id}/settings/members`);
  const role = (name: string) => page.getByRole("combobox", { name: `Role of ${name}` });
  await expect(role("Grace Hopper")).toContainText("Member");
  await expect(card.getByText("1 active, 0 deactivated")).toBeVisible();
  await axe(page);
  await shoot(page, "directory");
  await role("Sales operations").click();
  await page.getByRole("option", { name: "Admin" }).click();
  await expect(page.getByText("Sales operations gives the role Admin.")).toBeVisible();
  await expect(role("Grace Hopper")).toContainText("Admin");
});
