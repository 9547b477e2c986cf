/** Leads: a list made from People, a status changed in place, an export; and what a lower plan shows instead. */
import { readFile } from "node:fs/promises";
import { agentOf, axe, expect, type Page, rapport, shoot, signIn, test } from "./fixture.ts";

const leads = (page: Page) => page.getByRole("table", { name: "leads" });
const row = (page: Page, name: string) => leads(page).getByRole("row", { name: new RegExp(name) });

test("people become leads of a new list, a reply moves one, and the list is exported", async ({ page, app, owner }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  const names = ["Ben", "Clara", "David", "Elif"];
  await send("/v2/people/bulk", {
    people: names.map((name) => ({ email: `${name.toLowerCase()}@brightwater.io`, first_name: name })),
  });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/leads`);
  await expect(page.getByText("Lists of people to write to")).toBeVisible();
  await axe(page);
  await shoot(page, "leads-empty");

  await page.goto(`/${owner.workspace_id}/people`);
  const people = page.getByRole("table", { name: "people" });
  for (const name of ["Ben", "Clara", "David"]) await people.getByRole("checkbox", { name: `Select ${name}` }).click();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Add to list…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add to list" });
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByText("Enter a name for the list.")).toBeVisible();
  await dialog.getByLabel("Name of the new list").fill("Fintech CFOs");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("3 added to Fintech CFOs.")).toBeVisible();
  await page.getByRole("link", { name: "Open the list" }).click();
  await expect(page.getByRole("heading", { name: "Fintech CFOs", level: 1 })).toBeVisible();
  await expect(leads(page).getByRole("row")).toHaveCount(4);
  await expect(page.getByRole("navigation", { name: "Workspace" }).locator("[aria-current=page]")).toHaveText("Leads");
  const list = new URL(page.url()).pathname.split("/").at(-1);

  await send("/v2/leads", {
    list_id: list,
    email: "eva@northgate.dev",
    name: "Eva",
    fields: { title: "CFO", note: "=1+1" },
    scorecard_score: 0.9,
  });
  await send("/api/v1/capture", { email: "clara@brightwater.io", type: "email_sent" });
  await page.reload();
  await expect(row(page, "Eva")).toContainText("CFO");
  await expect(row(page, "Clara")).toContainText("Sent");
  await axe(page);
  await shoot(page, "leads-list");

  await row(page, "Ben").getByRole("button", { name: "Status of Ben: Pending. Change" }).click();
  await page.getByRole("menuitemradio", { name: "Replied" }).click();
  await expect(row(page, "Ben")).toContainText("Replied");
  await row(page, "Ben").getByRole("button", { name: "Outcome of Ben: none. Change" }).click();
  await page.getByRole("menuitemradio", { name: "Interested" }).click();
  await expect(row(page, "Ben")).toContainText("Interested");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("button", { name: "Has replied" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page).toHaveURL(/has_replied=true/);
  await expect(leads(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Remove the filter Has replied: yes" }).click();
  await expect(leads(page).getByRole("row")).toHaveCount(5);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const csv = await readFile(await (await downloading).path(), "utf8");
  expect(csv.trimEnd().split("\r\n")).toHaveLength(5);
  expect(csv).toContain("interested");
  expect(csv).toContain("'=1+1");

  await leads(page).getByRole("checkbox", { name: "Select David" }).click();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(leads(page).getByRole("row")).toHaveCount(4);

  await page.getByRole("link", { name: "Ben" }).click();
  await expect(
    page.getByRole("complementary", { name: "Details" }).getByRole("link", { name: /Fintech CFOs/ }),
  ).toBeVisible();
  await page
    .getByRole("complementary", { name: "Details" })
    .getByRole("link", { name: /Fintech CFOs/ })
    .click();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Leads" }).click();
  await expect(page.getByText("1 replied · 1 sent · 1 pending")).toBeVisible();
  await axe(page);
  await shoot(page, "leads-lists");

  await page.getByRole("button", { name: "Actions for Fintech CFOs" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("Fintech CFOs");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete list" }).click();
  await expect(page.getByText("Lists of people to write to")).toBeVisible();
});

test("a lower plan shows what leads are and how to get them, and keeps those there are", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  const { lead_list } = (await send("/v2/lead-lists", { name: "Kept" })) as { lead_list: { id: string } };
  await rapport(app, "admin", "workspace", "set-plan", owner.workspace_id, "free");
  await signIn(page, owner);
  for (const path of ["leads", `leads/${lead_list.id}`]) {
    await page.goto(`/${owner.workspace_id}/${path}`);
    await expect(page.getByRole("heading", { name: "Lead lists and the leads API" })).toBeVisible();
    await expect(page.getByText(`set-plan ${owner.workspace_id} scale`)).toBeVisible();
  }
  await axe(page);
  await shoot(page, "leads-upgrade");
  await page.getByRole("link", { name: "Compare the plans" }).click();
  await expect(page.getByText("needs Scale").first()).toBeVisible();
  await page.goto(`/${owner.workspace_id}/people`);
  await page.getByRole("table", { name: "people" }).getByRole("checkbox", { name: "Select Anna" }).click();
  await page.getByRole("button", { name: "Add to list…" }).click();
  await expect(page.getByRole("dialog").getByText("this workspace is on Free")).toBeVisible();
  await rapport(app, "admin", "workspace", "set-plan", owner.workspace_id, "scale");
  await page.goto(`/${owner.workspace_id}/leads`);
  await expect(page.getByRole("link", { name: "Kept" })).toBeVisible();
});
