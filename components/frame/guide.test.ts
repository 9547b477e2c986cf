import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guide, guideTo } from "./guide.ts";

test.each(guide)(
  "$page has the title that the app shows, and explains pages that exist",
  ({ page, title, explains }) => {
    expect(readFileSync(`docs/guide/${page}.md`, "utf8")).toMatch(new RegExp(`^# ${title}\n`));
    for (const folder of explains ?? []) expect(existsSync(`app/(app)/[workspace]/${folder}`), folder).toBe(true);
  },
);

test.each([
  ["/w/people", "lists"],
  ["/w/people/", "lists"],
  ["/w/settings/scoring", "scoring"],
  ["/w/leads/123", "leads"],
  ["/w/settings/workspace", "start"],
  ["/w/peoples", "start"],
])("%s is explained by %s", (pathname, page) => {
  expect(guideTo(pathname).page).toBe(page);
});
