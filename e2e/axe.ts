/** What axe (https://github.com/dequelabs/axe-core) finds on a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/** Who moves by headings misses none: no criterion of WCAG, so not among its tags. */
const beside = { "heading-order": { enabled: true } };

/** Fails on any violation of WCAG 2.2 A and AA that axe finds on the page as it is, and on a level of headings that is left out; while a dialog is open, in the dialog. */
export const axe = (page: Page): Promise<void> => check(page, { runOnly: wcag, rules: beside });

/** The same in the other theme, where only colours differ. The page is left as it was. */
export async function axeInTheDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await check(page, { runOnly: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: null });
}

async function check(page: Page, options: RunOptions): Promise<void> {
  // Next streams a page's title after its content.
  await expect(page).toHaveTitle(/\S/);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const failures = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run(part: Node, options: RunOptions): Promise<AxeResults> } };
      // What lies behind a dialog was judged when it was the page.
      const dialogs = document.querySelectorAll(":is([role=dialog], [role=alertdialog]):not([hidden])");
      const { violations } = await axe.run(dialogs.item(dialogs.length - 1) ?? document, options);
      return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} (${impact}): ${target.join(" ")}\n${failureSummary}`),
      );
    },
    { ...options, resultTypes: ["violations" as const] },
  );
  expect(failures, `axe finds violations on ${page.url()}: https://dequeuniversity.com/rules/axe`).toEqual([]);
}
