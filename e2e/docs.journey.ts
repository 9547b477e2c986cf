import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect, shoot, signIn, test } from "./fixture.ts";

/**
 * What is left in the markup of Scalar 1.46, which we cannot style: `aria-selected` on the buttons of its sidebar, a
 * list of tabs with other buttons in it, and its search and copy buttons without a name.
 */
const OF_SCALAR = ["aria-allowed-attr", "aria-required-children", "button-name"];

/** Nothing at all in our frame; in the reference only what is named above. */
async function axeDocs(page: Page): Promise<void> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
  const ours = await new AxeBuilder({ page }).withTags(tags).exclude("#reference").analyze();
  expect(ours.violations).toEqual([]);
  const all = await new AxeBuilder({ page }).withTags(tags).disableRules(OF_SCALAR).analyze();
  expect(all.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`))).toEqual(
    [],
  );
}

test("the reference has our frame, a quick start with one's key, both themes and a way back", async ({
  app,
  owner,
  page,
  context,
  allowErrors,
}) => {
  test.slow();
  // Scalar looks whether it may compile code, which the policy refuses; it then does without.
  allowErrors("script-src blocked eval");
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.baseURL });
  await page.goto("/docs");
  await expect(page.getByRole("heading", { name: "Quick start" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to Rapport" })).toHaveAttribute("href", "/");
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  await page.goto("/docs");
  const field = page.getByLabel("Your API key");
  await expect(field).toHaveValue("");
  await expect(page.getByRole("button", { name: "Forget it" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Rapport API" })).toBeVisible();
  await axeDocs(page);
  await shoot(page, "docs");

  // The key that was pasted is in every snippet, masked; what is copied has it whole, and so has the reference.
  await field.fill(owner.api_key);
  await field.press("Enter");
  await page.getByRole("tab", { name: "curl" }).press("ArrowRight");
  const panel = page.getByRole("tabpanel", { name: "TypeScript" });
  await expect(panel.getByText(`Bearer ${owner.api_key.slice(0, 11)}…${owner.api_key.slice(-4)}`)).toBeVisible();
  await panel.getByRole("button", { name: "Copy" }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`Bearer ${owner.api_key}`);
  await expect
    .poll(() =>
      page
        .locator("#reference input")
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    )
    .toContain(owner.api_key);
  await shoot(page, "docs-key");

  // It is nowhere but in the memory of the tab.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toContain(owner.api_key);
  await page.reload();
  await expect(field).toHaveValue("");
  await page.evaluate((key) => sessionStorage.setItem("rapport:docs-key", key), owner.api_key);
  await page.reload();
  await expect(field).toHaveValue(owner.api_key);
  expect(await page.evaluate(() => sessionStorage.getItem("rapport:docs-key"))).toBeNull();
  await page.getByRole("button", { name: "Forget it" }).click();
  await expect(page.getByText("$RAPPORT_API_KEY").first()).toBeVisible();

  await page.getByLabel("Theme").selectOption("dark");
  await expect(page.locator("body")).toHaveClass(/dark-mode/);
  await axeDocs(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("link", { name: `Back to ${owner.workspace_name}` }).click();
  await expect(page).toHaveURL(`${app.baseURL}/${owner.workspace_id}/home`);
  await expect(page.locator("html")).toHaveClass(/dark/);
});
