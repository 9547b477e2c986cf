import { CRM_TOKEN } from "./crm.ts";
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("a CRM is connected, a dry run shows what a sync would do, and the sync has the result of each person", async ({
  app,
  owner,
  page,
  allowErrors,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "grace@prospect.example", first_name: "Grace", job_title: "VP Sales" });
  await send("/v2/people", { email: "john@client.example", first_name: "John", last_name: "Client" });
  await send("/v2/people", { email: "odd@prospect.example", first_name: "Odd" });
  await send("/api/v1/capture", { email: "grace@prospect.example", type: "call", description: "Intro call" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/integrations`);
  const card = page.getByRole("region", { name: "HubSpot" });
  await expect(card.getByText("Not connected")).toBeVisible();

  await card.getByRole("button", { name: "Connect" }).click();
  const dialog = page.getByRole("dialog");
  allowErrors("400 (Bad Request)");
  await dialog.getByLabel("Access token").fill("pat-wrong");
  await dialog.getByLabel("Access token").press("Enter");
  await expect(dialog.getByText("HubSpot does not accept these credentials", { exact: false })).toBeVisible();
  await dialog.getByLabel("Access token").fill(CRM_TOKEN);
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(dialog.getByText("account 146425426")).toBeVisible();
  await axe(page);
  await shoot(page, "crm-connect");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(card.getByText("Nothing pushed yet.", { exact: false })).toBeVisible();
  await shoot(page, "crm-connected");

  // What is pushed, and who it creates.
  await card.getByRole("button", { name: "Set up" }).click();
  await dialog.getByLabel("Push changes automatically").click();
  await dialog.getByLabel("Create contacts missing in HubSpot").click();
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: "Everyone with an e-mail address" }).click();
  await dialog.getByLabel("Only with a high enough ICP score").click();
  await dialog.getByLabel("Minimum ICP score").fill("200");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("A whole number from 0 to 100.")).toBeVisible();
  await axe(page);
  await shoot(page, "crm-rules");
  await dialog.getByLabel("Minimum ICP score").fill("70");
  await dialog.getByLabel("Only with a high enough ICP score").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText("New contacts: everyone with an e-mail address.", { exact: false })).toBeVisible();

  await card.getByRole("button", { name: "Dry run" }).click();
  await expect(
    card.getByText("3 people compared. 2 would be created, 1 would be updated, 1 activity", { exact: false }),
  ).toBeVisible();
  await card.getByRole("button", { name: "By person" }).click();
  await expect(dialog.getByRole("listitem").filter({ hasText: "Grace" })).toContainText("Would be created");
  await axe(page);
  await shoot(page, "crm-dry-run");
  await page.keyboard.press("Escape");

  await card.getByRole("button", { name: "Sync now" }).click();
  await expect(card.getByText("1 created, 1 updated, 1 failed, 1 linked, 1 activity", { exact: false })).toBeVisible();
  await axe(page);
  await shoot(page, "crm-synced");
  await card.getByRole("button", { name: "By person" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("listitem")).toContainText("HubSpot refused it: Property values were not valid.");
  await shoot(page, "crm-failed");
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: "Everyone" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(3);
  await axe(page);
  await shoot(page, "crm-people");
  await page.keyboard.press("Escape");

  await card.getByRole("button", { name: "Actions for HubSpot" }).click();
  await page.getByRole("menuitem", { name: "Disconnect…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(card.getByText("Not connected")).toBeVisible();
});
