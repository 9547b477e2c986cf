/** A scoring model is built from the GTM profile, and a person's score is explained by it. */
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("a model is built from the GTM profile, changed, previewed and saved, and a score is explained", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/workspace/facts", {
    section: "ICP",
    content: "Fintechs and banks in Europe, 50 to 500 employees. We sell to CFOs and Heads of Finance. Not agencies.",
  });
  await send("/v2/companies", { domain: "harbour.io", name: "Harbour", industry: "Fintech", employee_count: 120 });
  await send("/v2/people", { email: "anna@harbour.io", first_name: "Anna", last_name: "Smith", job_title: "CFO" });
  await send("/v2/people", { email: "ben@harbour.io", first_name: "Ben", last_name: "Moss", job_title: "Designer" });
  await signIn(page, owner);

  await page.goto(`/${owner.workspace_id}/settings/scoring`);
  const card = page.getByRole("region", { name: "ICP scoring model" });
  await expect(card.getByText("Build it from your GTM profile")).toBeVisible();
  await axe(page);
  await shoot(page, "scoring-empty");

  await card.getByRole("button", { name: "Build from GTM profile" }).click();
  await expect(card.getByText("Based on your GTM profile. Nothing is saved yet.")).toBeVisible();
  const signals = card.getByRole("list", { name: "Signals" });
  const industry = signals.getByRole("listitem", { name: "Industry: fintech or banking" });
  await expect(industry.getByLabel("Value")).toHaveValue("fintech, banking");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByText(/2 people would move/)).toBeVisible();
  await expect(preview.getByRole("list", { name: "Who would move" })).toContainText("Anna Smith");

  await industry.getByRole("slider").fill("10");
  await card.getByRole("button", { name: "Add a signal" }).click();
  await card.getByRole("button", { name: "Save model" }).click();
  await expect(card.getByText("Enter a name.")).toBeVisible();
  await axe(page);
  await card.getByRole("button", { name: "Remove New signal" }).click();
  await expect(preview.getByText(/2 people would move/)).toBeVisible();
  await expect(industry.getByText("Met by 2 of 2")).toBeVisible();
  await shoot(page, "scoring-preview");
  await preview.getByRole("button", { name: "Show as a table" }).click();
  await expect(preview.getByRole("table", { name: "People by score" })).toBeVisible();
  await card.getByRole("button", { name: "Save model" }).click();
  await expect(page.getByText("Version 1 is saved. Everyone is being scored again.")).toBeVisible();
  await expect(card.getByText("3 scored, 3 moved")).toBeVisible();
  await expect(page.getByRole("list", { name: "Versions" })).toContainText("In use");
  await axe(page);
  await shoot(page, "scoring-model");

  await page.goto(`/${owner.workspace_id}/people?sort=icp_score_desc`);
  await expect(page.getByRole("row").nth(1)).toContainText("Anna Smith");

  await page.goto(`/${owner.workspace_id}/accounts/ben@harbour.io`);
  await page.getByRole("button", { name: /^ICP \d+/ }).click();
  const sheet = page.getByRole("dialog", { name: "ICP score" });
  await expect(sheet.getByText(/^For: Industry: fintech or banking/)).toBeVisible();
  await expect(sheet.getByRole("region", { name: "What would raise it" })).toContainText("To reach");
  await expect(sheet.getByRole("region", { name: "History" })).toContainText("Model version 1");
  await axe(page);
  await shoot(page, "account-score");

  await send("/v2/people", { email: "ben@harbour.io", job_title: "Head of Finance" });
  await expect(sheet.getByRole("region", { name: "History" })).toContainText("Title: Head of Finance");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /Tier 1/ })).toBeVisible();
});
