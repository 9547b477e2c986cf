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
  await expect.poll(shown).toEqual(latestFirst(reported));
  await axe(page);
  await shoot(page, "activity-stage-change");
});

test("activity is listed by when it happened, and found by person, source, type and day", async ({
  page,
  app,
  owner,
}) => {
  const send = agentOf(app.baseURL, owner);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const event = (type: string, description: string, days: number, source: string) => ({
    kind: "event",
    property: `interaction.${type}`,
    value: { description },
    observed_at: ago(days),
    source,
  });
  const about = (focus: string, ...observations: object[]) => send("/v2/observations", { focus, observations });
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", last_name: "Smith" });
  await about("anna@acme.com", event("call", "Report now", 0, "api"));
  await about("ben@acme.com", event("meeting_held", "Report of last month", 30, "fathom"));
  await about("carl@kestrel.app", event("email_received", "Report of last week", 7, "api"));
  await about("acme.com", event("website_visit", "Report of the pricing page", 3, "website"));
  const shown = () => page.getByText(/^Report (now|of) ?.*$/).allTextContents();

  await about("anna@acme.com", event("meeting_scheduled", "Pilot in a week", -7, "api"));
  await about("anna@acme.com", event("meeting_scheduled", "Demo tomorrow", -1, "api"));

  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/activity`);
  const ahead = page.getByRole("region", { name: "Upcoming" });
  await expect(ahead.getByRole("listitem")).toHaveText([/Demo tomorrow/, /Pilot in a week/]);
  await expect(page.getByRole("main").getByRole("region").first()).toHaveAccessibleName("Upcoming");
  const all = ["Report now", "Report of the pricing page", "Report of last week", "Report of last month"];
  await expect.poll(shown).toEqual(all);
  await expect(page.getByText("Recorded 30 days later")).toBeVisible();
  await expect(page.getByText(/^Recorded /)).toHaveCount(3);
  await axe(page);
  await shoot(page, "activity-by-day");

  await page.getByRole("button", { name: "Anyone" }).click();
  await page.getByPlaceholder("Name, e-mail or company…").fill("acme");
  await page
    .getByRole("option", { name: /acme\.com/ })
    .last()
    .click();
  await expect.poll(shown).toEqual(["Report now", "Report of the pricing page", "Report of last month"]);
  await page.getByRole("combobox", { name: "Source" }).click();
  await page.getByRole("option", { name: "Fathom" }).click();
  await expect.poll(shown).toEqual(["Report of last month"]);
  await expect(page).toHaveURL(/entity=[0-9a-f-]+/);
  await axe(page);
  await shoot(page, "activity-filtered");
  await page.reload(); // the address has all of it
  await expect.poll(shown).toEqual(["Report of last month"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(shown).toEqual(all);

  await page.getByRole("button", { name: "Any date" }).click();
  const dates = page.getByRole("dialog", { name: "Dates" });
  await dates.getByLabel("From").fill(ago(8).slice(0, 10));
  await dates.getByLabel("To").fill(ago(2).slice(0, 10));
  await page.keyboard.press("Escape");
  await expect.poll(shown).toEqual(["Report of the pricing page", "Report of last week"]);
  await page.reload();
  await expect.poll(shown).toEqual(["Report of the pricing page", "Report of last week"]);
  await page.getByRole("combobox", { name: "Type of activity" }).click();
  await page.getByRole("option", { name: "Call", exact: true }).click();
  await expect(page.getByText("Nothing that happened matches these filters.")).toBeVisible();
  await axe(page);
  await page.goBack();
  await expect.poll(shown).toEqual(["Report of the pricing page", "Report of last week"]);
});
