/** The activity page after its connection was away: what was reported meanwhile is there, once, in the order it was learned. */
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("nothing is missed and nothing is shown twice when the connection comes back", async ({
  page,
  context,
  app,
  owner,
  allowErrors,
}) => {
  test.slow();
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch");
  const capture = (type: string, description: string) =>
    agentOf(app.baseURL, owner)("/api/v1/capture", { email: "anna@acme.com", type, description });
  const shown = () => page.getByText(/^Report \d+$/).allTextContents();
  const latestFirst = (last: number) => Array.from({ length: last }, (_, n) => `Report ${last - n}`);

  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/activity`);
  await expect(page.getByText("the moment agents and integrations report them")).toBeVisible();
  await capture("email_received", "Report 1");
  await expect.poll(shown).toEqual(latestFirst(1));
  await expect(page.getByText("because of this reply")).toContainText("Moved to Interested");

  // More than a page of them, and the connection goes and comes back three times.
  let reported = 1;
  for (const more of [3, 60, 2]) {
    await context.setOffline(true);
    await expect(page.locator("[data-banner]")).toContainText("No connection since");
    for (const last = reported + more; reported < last; reported++) await capture("call", `Report ${reported + 1}`);
    await context.setOffline(false);
    await expect(page.locator("[data-banner]")).toBeHidden();
    await expect(page.getByText(`Report ${reported}`, { exact: true })).toBeVisible();
    expect(latestFirst(reported).slice(0, 40)).toEqual((await shown()).slice(0, 40));
    expect(new Set(await shown()).size).toBe((await shown()).length);
  }
  await page.keyboard.press("End");
  await expect.poll(shown, { timeout: 20_000 }).toEqual(latestFirst(reported));
  await axe(page);
  await shoot(page, "activity-stage-change");
});
