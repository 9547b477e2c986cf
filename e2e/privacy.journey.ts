/** A person's data exported and erased, and a workspace's own, all in the browser. */
import { readFile } from "node:fs/promises";
import { agentOf, axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

async function linesOf(page: Page, press: () => Promise<void>): Promise<Record<string, unknown>[]> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  const text = await readFile(await file.path(), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("a person is exported, then erased after their name was typed, and cannot be found any more", async ({
  page,
  app,
  owner,
}) => {
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", last_name: "Smith" });
  await send("/v2/people", { email: "ben@acme.com", first_name: "Ben" });
  await send("/v2/notes", { focus: "anna@acme.com", content: "Frozen until the audit." });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await page.getByRole("link", { name: "Anna Smith" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await shoot(page, "account-menu");
  const lines = await linesOf(page, () => page.getByRole("menuitem", { name: "Export all data" }).click());
  expect(JSON.stringify(lines)).toContain("Frozen until the audit.");
  expect(JSON.stringify(lines)).not.toContain("ben@acme.com");
  expect(lines.at(-1)).toMatchObject({ end: true, tables: { people: 1, notes: 1 } });

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Erase for good…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Erase Anna Smith for good?" });
  const erase = dialog.getByRole("button", { name: "Erase for good" });
  await expect(erase).toBeDisabled();
  await dialog.getByRole("textbox").fill("Anna");
  await expect(erase).toBeDisabled();
  await axe(page);
  await shoot(page, "account-erase");
  await dialog.getByRole("textbox").fill("Anna Smith");
  await erase.click();
  await expect(page.getByText(/^Anna Smith is erased, with \d+ observations and 1 note\.$/)).toBeVisible();
  await expect(page).toHaveURL(/\/people$/);
  const people = page.getByRole("table", { name: "people" });
  await expect(people.getByRole("link", { name: "Ben" })).toBeVisible();
  await expect(people.getByRole("link", { name: "Anna Smith" })).toBeHidden();
  await page.goto(`/${owner.workspace_id}/accounts/anna@acme.com`);
  await expect(page.getByRole("heading", { name: "Anna Smith" })).toBeHidden();
  await expect(page.getByText("There is no person or company at this address")).toBeVisible();
});

test("the workspace is exported from its settings, which also show how it sells", async ({ page, app, owner }) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  await expect(page.getByText(/Not known yet: .*what kind of business you are/)).toBeVisible();
  await page.getByRole("link", { name: "Complete the workspace's profile" }).click();
  for (const [field, answer] of [
    ["What you sell", "Software"],
    ["How customers start", "With a free trial"],
    ["Stage of someone who signs up", "Aware"],
  ] as const) {
    await page.getByRole("combobox", { name: field }).click();
    await page.getByRole("option", { name: answer, exact: true }).click();
  }
  await axe(page);
  await shoot(page, "settings-workspace");
  await page.getByRole("region", { name: "How you sell" }).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("How you sell is saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("combobox", { name: "How customers start" })).toHaveText("With a free trial");
  await page.getByRole("link", { name: "Export", exact: true }).click();
  const lines = await linesOf(page, () => page.getByRole("button", { name: "Export workspace" }).click());
  expect(lines[0]).toMatchObject({ export: "rapport", workspace_id: owner.workspace_id });
  expect(lines.at(-1)).toMatchObject({ end: true, tables: { people: 1, members: 1 } });
  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByText("exported the workspace")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/home`);
  await expect(page.getByText("Not known yet: your website.")).toBeVisible();
});
