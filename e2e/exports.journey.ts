/** A list exported as it is filtered, the file, and the exports in the settings. */
import { readFile } from "node:fs/promises";
import { agentOf, axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

async function fileOf(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("filtered people are exported from the list, and the file is among the exports of the settings", async ({
  page,
  app,
  owner,
}) => {
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", job_title: "=1+1", region: "DACH" });
  await send("/v2/people", { email: "ben@acme.com", first_name: "Ben", pipeline_stage: "evaluating", region: "UK" });
  await send("/v2/people", { email: "cleo@globex.com", first_name: "Cleo", pipeline_stage: "evaluating" });
  await send("/v2/notes", { focus: "anna@acme.com", content: "Frozen until the audit.", title: "Call" });
  await send("/api/v1/capture", { email: "anna@acme.com", type: "call", description: "Talked" });
  await signIn(page, owner);

  await page.goto(`/${owner.workspace_id}/people?pipeline_stage=evaluating&sort=created_asc`);
  await expect(page.getByText("2 people", { exact: true })).toBeVisible();
  const press = (name: string) => () => page.getByRole("button", { name, exact: true }).click();
  const some = await fileOf(page, press("Export"));
  expect(some.name).toMatch(/^people-[\d-]+\.csv$/);
  const lines = some.text.trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^\uFEFFid,email,first_name,.*,property\.region$/);
  expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(["ben@acme.com", "cleo@globex.com"]);
  await expect(page.getByText("2 people exported.")).toBeVisible();
  await shoot(page, "exports-toast");
  const again = await fileOf(page, press("Download again"));
  expect(again.text).toBe(some.text);

  await page.goto(`/${owner.workspace_id}/people?property=region%3DDACH`);
  await expect(page.getByText("1 person", { exact: true })).toBeVisible();
  expect((await fileOf(page, press("Export"))).text).toContain(",'=1+1,");
  await page.goto(`/${owner.workspace_id}/companies`);
  expect((await fileOf(page, press("Export"))).text).toContain("globex.com");
  await page.goto(`/${owner.workspace_id}/notes`);
  expect((await fileOf(page, press("Export"))).text).toContain("Frozen until the audit.");
  await page.goto(`/${owner.workspace_id}/activity?type=call`);
  const activities = await fileOf(page, press("Export"));
  expect(activities.name).toMatch(/^activities-/);
  expect(activities.text.trimEnd().split("\r\n")).toHaveLength(2);

  await page.goto(`/${owner.workspace_id}/settings`);
  await page.getByRole("link", { name: "Export", exact: true }).click();
  const list = page.getByRole("list", { name: "Exports" });
  await expect(list.getByRole("listitem")).toHaveCount(5);
  await expect(list.getByRole("listitem").last()).toContainText("People, CSV");
  await expect(list.getByRole("listitem").last()).toContainText("2 people");
  const kept = await fileOf(page, () =>
    list.getByRole("listitem").last().getByRole("link", { name: "Download People, CSV" }).click(),
  );
  expect(kept.text).toBe(some.text);

  await page.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "NDJSON" }).click();
  await page.getByRole("button", { name: "Export all" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(6);
  await expect(list.getByRole("listitem").first()).toContainText("3 people");
  const json = await fileOf(page, () =>
    list.getByRole("listitem").first().getByRole("link", { name: "Download People, NDJSON" }).click(),
  );
  expect(
    json.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  ).toHaveLength(3);
  await axe(page);
  await shoot(page, "exports-settings");
  await list.getByRole("listitem").first().getByRole("button", { name: "Delete the export of People, NDJSON" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(5);

  await send("/v2/accounts/erase", { focus: "anna@acme.com" });
  await page.reload();
  await expect(list.getByText("Removed")).toHaveCount(5);
  await expect(list.getByText("A person was erased. Make the export again.").first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^Download/ })).toHaveCount(0);
  await shoot(page, "exports-erased");
});
