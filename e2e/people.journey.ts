/** People and companies: search, evidence for facts, the past, notes, and merging duplicates. */
import { readFile } from "node:fs/promises";
import {
  agentOf,
  axe,
  expect,
  type Owner,
  peopleTable,
  shoot,
  signInByForm,
  signInTo,
  test,
  tryAgain,
  undo,
} from "./fixture.ts";

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const dayAgo = (days: number) => ago(days).slice(0, 10);

const state = (property: string, value: unknown, days: number, more: object = {}) => ({
  kind: "state",
  property,
  value,
  observed_at: ago(days),
  ...more,
});

const event = (type: string, description: string, days: number) => ({
  kind: "event",
  property: `interaction.${type}`,
  value: { description },
  source: "fathom",
  observed_at: ago(days),
});

/** Forty people at four companies, and Anna, with a long record. */
async function fill(baseURL: string, owner: Owner): Promise<void> {
  const send = agentOf(baseURL, owner);
  const names = ["Ben", "Clara", "David", "Elif", "Farid", "Giulia", "Hannah", "Ivan", "Julia", "Kenji"];
  const companies = ["brightwater.io", "northgate.dev", "kestrel.app", "fernhill.eu"];
  const people = companies.flatMap((domain) =>
    names.map((name) => ({ email: `${name.toLowerCase()}@${domain}`, first_name: name, job_title: "Buyer" })),
  );
  await send("/v2/people/bulk", { people });
  await send("/v2/companies", { domain: "acmeworks.com", name: "Acme Works", industry: "Fintech" });
  await send("/v2/observations", {
    focus: "anna.smith@acmeworks.com",
    observations: [
      state("first_name", "Anna", 90),
      state("last_name", "Smith", 90),
      state("job_title", "Sales Manager", 80, { source: "crm" }),
      state("job_title", "VP Sales", 10, { source: "call", method: "asserted" }),
      state("job_title", "Sales Director", 4, { source: "apollo" }),
      state("job_title", "Head of Sales", 3, { source: "linkedin" }),
      state("icp_score", 88, 5, { source: "scoring", method: "inferred" }),
      event("meeting_held", "Discovery: the handover loses context", 70),
      event("email_sent", "Sent the pilot offer", 9),
    ],
  });
  await send("/v2/people", {
    linkedin_url: "https://www.linkedin.com/in/anna-smith-works",
    first_name: "Anna",
    last_name: "Smith",
    phone: "+4930123456",
  });
}

test("a person is found by company, shown with the evidence for a fact, and as of last month", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await expect(peopleTable(page).getByRole("row", { name: /Ben/ }).first()).toBeVisible();
  await axe(page);
  await shoot(page, "people");

  await page.keyboard.press("/");
  await page.keyboard.type("cmewor");
  await expect(peopleTable(page).getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(/search=cmewor/);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: "Anna Smith" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Anna Smith", level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Workspace" }).locator("[aria-current=page]")).toHaveText("People");
  await expect(page.getByText("ICP 88 · Tier 1")).toBeVisible();
  await expect(page.getByText("Discovery: the handover loses context")).toBeVisible();
  await axe(page);
  await shoot(page, "account-timeline");

  await page.getByRole("tab", { name: "Facts" }).click();
  const facts = page.getByRole("list", { name: "Facts" });
  await expect(facts.getByRole("listitem").filter({ hasText: "Title" })).toContainText("Disputed");
  await axe(page);
  await shoot(page, "account-facts");
  await facts.getByRole("button", { name: /^Title/ }).click();
  const sheet = page.getByRole("dialog", { name: "Title" });
  await expect(sheet.getByRole("region", { name: "Present value" })).toContainText("VP Sales");
  await expect(sheet.getByText(/1 piece of evidence from 1 source supports it/)).toBeVisible();
  const evidence = sheet.getByRole("region", { name: "Evidence" }).getByRole("listitem");
  await expect(evidence).toHaveCount(4);
  await expect(evidence.first()).toContainText("Head of Sales");
  await expect(evidence.first()).toContainText("Disagrees");
  await expect(sheet.getByRole("button", { name: "Keep VP Sales" })).toBeVisible();
  await axe(page);
  await shoot(page, "account-evidence");
  await sheet.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "As of now" }).click();
  await page.getByLabel("As of the end of").fill(dayAgo(30));
  await page.keyboard.press("Escape");
  await expect(page.getByText(/^What was true on/)).toBeVisible();
  await expect(facts.getByRole("listitem").filter({ hasText: "Title" })).toContainText("Sales Manager");
  await expect(page.getByRole("button", { name: "Add note" })).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`as_of=${dayAgo(30)}`));
  await axe(page);
  await shoot(page, "account-past");
  await page.reload();
  await expect(facts.getByRole("listitem").filter({ hasText: "Title" })).toContainText("Sales Manager");
  await page.getByRole("tab", { name: "Timeline" }).click();
  await expect(page.getByText("Discovery: the handover loses context")).toBeVisible();
  await expect(page.getByText("Sent the pilot offer")).toBeHidden();
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(page.getByText("Sent the pilot offer")).toBeVisible();

  await page.getByRole("tab", { name: "Facts" }).click();
  const title = facts.getByRole("listitem").filter({ hasText: "Title" });
  await expect(title.getByRole("button", { name: "Use Sales Director" })).toBeVisible();
  await title.getByRole("button", { name: /^Title/ }).focus();
  await page.keyboard.press("Tab");
  await expect(title.getByRole("button", { name: "Use Sales Director" })).toBeFocused();
  await title.getByRole("button", { name: "Keep VP Sales" }).click();
  await expect(page.getByText("Title stays VP Sales.")).toBeVisible();
  await expect(title).not.toContainText("Disputed");
  await expect(title).toContainText("VP Sales");
  // Undo opens the dispute again, with every value, and another way to settle it can be undone too.
  await undo(page, "Title stays VP Sales.");
  await expect(title).toContainText("Disputed");
  await expect(title.getByRole("button", { name: /^Use/ })).toHaveText(["Use Sales Director", "Use Head of Sales"]);
  await title.getByRole("button", { name: "Use Sales Director" }).click();
  await expect(title).not.toContainText("Disputed");
  await undo(page, "Title is now Sales Director.");
  await expect(title).toContainText("Disputed");
  await facts.getByRole("button", { name: /^Title/ }).click();
  await expect(evidence).toHaveCount(6);
  await expect(evidence.filter({ hasText: "Taken back" })).toHaveCount(2);
  await sheet.getByRole("button", { name: "Close" }).click();

  await page.getByRole("tab", { name: "What agents see" }).click();
  await expect(page.getByText(/of 2,000 tokens/)).toBeVisible();
  await page.getByRole("combobox", { name: "The agent is about to" }).click();
  await page.getByRole("option", { name: "Draft an e-mail" }).click();
  await expect(page.getByText(/of 1,200 tokens/)).toBeVisible();
  await axe(page);
  await shoot(page, "account-agents");
});

test("a note is added to a person and found by its content", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "accounts/anna.smith@acmeworks.com?tab=notes");
  await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}/);
  await page.getByRole("tab", { name: "Notes" }).click();
  await expect(page.getByText(/appear here in full/)).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Add note" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a note" });
  await dialog.getByRole("button", { name: "Save note" }).click();
  await expect(dialog.getByText("Enter some text.")).toBeVisible();
  await axe(page);
  await dialog.getByLabel("Title").fill("Pricing call");
  await dialog
    .getByLabel("Text")
    .fill(
      "## Budget\n\n- frozen until the audit\n- **not** before June\n\nShe asked for <b>quarterly</b> invoices, see [her list](https://acme.example/list).",
    );
  await dialog.getByRole("button", { name: "Save note" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Pricing call" })).toBeVisible();

  await page.goto(`/${owner.workspace_id}/notes`);
  await expect(page.getByRole("list", { name: "Notes" }).getByRole("link", { name: "Anna Smith" })).toBeVisible();
  await axe(page);
  await shoot(page, "notes");
  await page.keyboard.press("/");
  await page.keyboard.type("when are invoices sent?");
  const found = page.getByRole("list", { name: "Notes found" });
  await expect(found.locator("mark", { hasText: "invoices" })).toBeVisible();
  await axe(page);
  await shoot(page, "notes-found");
  await found.getByRole("button", { name: "Pricing call" }).click();
  const reader = page.getByRole("dialog", { name: "Pricing call" });
  await expect(reader.getByText("She asked for <b>quarterly</b>")).toBeVisible();
  await expect(reader.getByRole("listitem")).toHaveText(["frozen until the audit", "not before June"]);
  await expect(reader.getByText("**not** before June")).toBeHidden();
  await axe(page);
  await shoot(page, "note");
  await reader.getByRole("button", { name: "Text as written" }).click();
  await expect(reader.getByText("- **not** before June")).toBeVisible();
  await axe(page);
  await shoot(page, "note-as-written");
  await reader.getByRole("button", { name: "Close" }).click();

  await page.getByRole("combobox", { name: "Type of note" }).click();
  await page.getByRole("option", { name: "Transcript" }).click();
  await expect(page.getByText("No note answers this.")).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.getByRole("button", { name: "Any date" }).click();
  await page.getByLabel("To", { exact: true }).fill(dayAgo(40));
  await page.keyboard.press("Escape");
  await expect(page.getByText("No note is like this.")).toBeVisible();
});

test("a note written after the session has ended is saved after signing in in another tab", async ({
  page,
  context,
  app,
  owner,
  allowErrors,
}) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  await signInTo(page, owner, "accounts/anna@acme.com");
  await page.getByRole("button", { name: "Add note" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a note" });
  await dialog.getByLabel("Text").fill("She decides in March.");
  await context.clearCookies();
  allowErrors("401 (Unauthorized)");
  await dialog.getByRole("button", { name: "Save note" }).click();
  await expect(dialog.getByRole("alert")).toContainText("You are signed out.");
  await axe(page);
  const [beside] = await Promise.all([
    context.waitForEvent("page"),
    dialog.getByRole("link", { name: "Sign in in another tab" }).click(),
  ]);
  await signInByForm(beside, owner);
  await beside.close();
  await dialog.getByRole("button", { name: "Save note" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("She decides in March.")).toBeVisible();
});

test("a duplicate is merged, and the merge undone", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "accounts/anna.smith@acmeworks.com");
  const known = page.getByRole("list", { name: "Contact details" });
  await expect(known.getByText("anna.smith@acmeworks.com")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Merge with…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("option", { name: /Anna Smith/ })).toBeVisible();
  await axe(page);
  await shoot(page, "merge-choose");
  await dialog.getByRole("option", { name: /Anna Smith/ }).click();
  await expect(dialog.getByText(/1 identifier and \d+ pieces of evidence move over/)).toBeVisible();
  await axe(page);
  await shoot(page, "merge-preview");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(known.getByText("linkedin.com/in/anna-smith-works")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Merge undone.")).toBeVisible();
  await expect(known.getByText("linkedin.com/in/anna-smith-works")).toBeHidden();
  await expect(known.getByText("anna.smith@acmeworks.com")).toBeVisible();
});

test("the list is filtered, sorted, changed, undone and exported", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("dialog", { name: "Filter by" }).getByRole("button", { name: "Company", exact: true }).click();
  await page.getByRole("combobox", { name: "Company" }).fill("kestr");
  await page.getByRole("option", { name: /kestrel/ }).click();
  await expect(page.getByRole("button", { name: "Company: kestrel.app", exact: true })).toBeVisible();
  await expect(peopleTable(page).getByRole("row")).toHaveCount(11);
  await axe(page);
  await shoot(page, "people-filtered");

  await expect(peopleTable(page).getByRole("row").nth(1)).toContainText("Kenji");
  await peopleTable(page).getByRole("button", { name: "Last activity" }).click();
  await expect(page).toHaveURL(/sort=last_activity_asc/);
  // The list in its new order, before keys act on its rows.
  await expect(peopleTable(page).getByRole("row").nth(1)).toContainText("Ben");
  await expect(peopleTable(page).getByRole("row")).toHaveCount(11);
  const bar = page.getByRole("region", { name: "Selection" });
  for (const count of [1, 2]) {
    await page.keyboard.press("j");
    await page.keyboard.press("x"); // at once: the row that `j` selected, focused or not yet
    await expect(peopleTable(page).getByRole("row").nth(count).getByRole("link").first()).toBeFocused();
    await expect(bar.getByText(`${count} selected`)).toBeVisible();
  }
  await axe(page);
  await shoot(page, "people-selected");
  await bar.getByRole("button", { name: "Stage" }).click();
  await page.getByRole("menuitemradio", { name: "Evaluating" }).click();
  await expect(page.getByText("2 people moved to Evaluating")).toBeVisible();
  await expect(peopleTable(page).getByRole("button", { name: /: Evaluating\. Change$/ })).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(peopleTable(page).getByRole("button", { name: /: Evaluating\. Change$/ })).toHaveCount(0);

  await bar.getByRole("button", { name: "Archive" }).click();
  await expect(peopleTable(page).getByRole("row")).toHaveCount(9);
  const archived = page.getByRole("listitem").filter({ hasText: "2 people archived" });
  await archived.getByRole("button", { name: "Undo" }).click();
  await expect(peopleTable(page).getByRole("row")).toHaveCount(11);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toContain("id,email,first_name,last_name,job_title,company,");
  expect(lines).toHaveLength(11);
  await page.getByRole("button", { name: "Remove the filter Company: kestrel.app" }).click();
  await expect(page.getByText("42 people")).toBeVisible();
  await page.goBack();
  await expect(peopleTable(page).getByRole("row")).toHaveCount(11);
});

test("keys pressed faster than the list is drawn act on the row they mean", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await expect(page.getByText("42 people")).toBeVisible();
  const typed = (keys: string) =>
    page.evaluate((all) => {
      for (const key of all) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }, keys);
  const picked = (row: number) => peopleTable(page).getByRole("row").nth(row).getByRole("checkbox");
  const focused = (row: number) =>
    expect(peopleTable(page).getByRole("row").nth(row).getByRole("link").first()).toBeFocused();
  await typed("k"); // the first row
  await focused(1);
  await typed("xjjxx"); // nothing is drawn between them; the third row is picked and not any more
  await focused(3);
  await expect(page.getByRole("region", { name: "Selection" }).getByText("1 selected")).toBeVisible();
  await expect(picked(1)).toBeChecked();
  await expect(picked(3)).not.toBeChecked();
  await typed("kxjx");
  await expect(page.getByRole("region", { name: "Selection" }).getByText("3 selected")).toBeVisible();
  for (const row of [1, 2, 3]) await expect(picked(row)).toBeChecked();
});

test("a list that changes while its next page is on its way shows both", async ({ page, app, owner }) => {
  const agent = agentOf(app.baseURL, owner);
  const people = Array.from({ length: 230 }, (_, n) => ({
    email: `person${n}@long.example`,
    first_name: `Person ${n}`,
  }));
  await agent("/v2/people/bulk", { people });
  await signInTo(page, owner, "people");
  const table = peopleTable(page);
  await expect(table).toHaveAttribute("aria-rowcount", "-1");
  // The next page is held back until the list has been asked for again.
  let again = () => {};
  const asked = new Promise<void>((resolve) => {
    again = resolve;
  });
  const held = { count: 0 };
  await page.route(/\/v2\/people\?/, async (route) => {
    if (!route.request().url().includes("cursor=")) again();
    else if (held.count++ === 0) await asked;
    await route.continue().catch(() => undefined); // the page may no longer wait for it
  });
  const toEnd = () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await toEnd();
  await expect.poll(() => held.count).toBe(1);
  await agent("/api/v1/capture", { email: "newest@long.example", type: "call", description: "Rang us" });
  // Nothing is scrolled meanwhile: the reader waits at the end.
  await expect.poll(() => held.count, { timeout: 30_000 }).toBeGreaterThan(1);
  await expect(async () => {
    await toEnd();
    await expect(table).toHaveAttribute("aria-rowcount", "232", { timeout: 500 });
  }).toPass();
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(table.getByText("newest@long.example").first()).toBeVisible();
});

test("a list that cannot be refreshed stays readable, and says so", async ({ page, app, owner, allowErrors }) => {
  await fill(app.baseURL, owner);
  await signInTo(page, owner, "people");
  await expect(page.getByText("42 people")).toBeVisible();
  const lists = /\/v2\/people\?/;
  allowErrors("503 (Service Unavailable)");
  await page.route(lists, (route) =>
    route.fulfill({
      status: 503,
      json: { error: "service_unavailable", message: "The database does not answer.", request_id: "req-1" },
    }),
  );
  await peopleTable(page).getByRole("checkbox", { name: "Select Kenji" }).first().check();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Archive" }).click();
  const problem = page.getByRole("alert").filter({ hasText: "What you see may be out of date" });
  await expect(problem).toContainText("The database does not answer.");
  await expect(peopleTable(page).getByRole("link").first()).toBeVisible();
  await shoot(page, "people-stale");
  await tryAgain(problem, () => page.unroute(lists));
  await expect(problem).toHaveCount(0);
  await expect(page.getByText("41 people", { exact: true })).toBeVisible();
});

test("the first person is added by hand, and an empty list says how", async ({ page, owner, allowErrors }) => {
  await signInTo(page, owner, "people");
  await expect(page.getByText("What an agent sends")).toBeVisible();
  await axe(page);
  await shoot(page, "people-empty");
  await page.getByRole("button", { name: "Add person" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add person" });
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect(dialog.getByText("Enter an e-mail address or a LinkedIn profile.")).toBeVisible();
  allowErrors("400 (Bad Request)");
  await dialog.getByLabel("E-mail").fill("not an address");
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect(dialog.getByText(/not a valid e-mail address/)).toBeVisible();
  await axe(page);
  await shoot(page, "person-new");
  await dialog.getByLabel("E-mail").fill("lena@harbour.io");
  await dialog.getByLabel("First name").fill("Lena");
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect(peopleTable(page).getByRole("link", { name: "Lena" })).toBeVisible();
  await page.goto(`/${owner.workspace_id}/companies`);
  const companies = page.getByRole("table", { name: "companies" });
  await expect(companies.getByRole("row", { name: /harbour\.io/ })).toBeVisible();
  await axe(page);
  await shoot(page, "companies");
});

test("home says what needs attention, and the palette finds people, companies and notes", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  await fill(app.baseURL, owner);
  const send = agentOf(app.baseURL, owner);
  await send("/v2/notes", { focus: "anna.smith@acmeworks.com", title: "Renewal plan", content: "Renewal in spring." });
  // Clara's employer is disputed, by two ids.
  const idOf = async (domain: string) => ((await send("/v2/companies", { domain })).company as { id: string }).id;
  const worksAt = async (domain: string, days: number, more: object) =>
    send("/v2/observations", {
      focus: "clara@fernhill.eu",
      observations: [state("works_at", await idOf(domain), days, more)],
    });
  await worksAt("fernhill.eu", 20, { source: "call", method: "asserted" });
  await worksAt("kestrel.app", 15, { source: "linkedin" });
  await signInTo(page, owner, "home");
  await expect(page.getByText(/Sources disagree about job title/)).toBeVisible();
  await expect(page.getByText(/Not known yet: your website, what kind/)).toBeVisible();

  // As in an inbox: by keys, and a dispute is settled in its row.
  const inbox = page.getByRole("list", { name: "Needs attention" });
  const row = inbox.getByRole("listitem").filter({ hasText: "Anna Smith" }).first();
  await page.keyboard.press("j");
  await expect(inbox.locator(":focus")).toHaveText("Anna Smith");
  await page.keyboard.press("t");
  const task = page.getByRole("dialog", { name: "Add task" });
  await task.getByLabel("Task").fill("Ask for her title");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("region", { name: "My tasks" }).getByText("Ask for her title")).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("s");
  await expect(page.getByRole("menuitem", { name: "Snooze for a week" })).toBeVisible();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Use Head of Sales" }).click();
  await expect(page.getByText("Title is now Head of Sales.")).toBeVisible();
  await expect(page.getByText(/Sources disagree about job title/)).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  const anna = async (field: "job_title" | "pipeline_stage" | "owner") => {
    const answer = await fetch(`${app.baseURL}/v2/people/anna.smith@acmeworks.com`, {
      headers: { authorization: `Bearer ${owner.api_key}` },
    });
    return ((await answer.json()) as { person: Record<string, string> }).person[field];
  };
  await expect.poll(() => anna("job_title")).toBe("VP Sales");
  const clara = inbox.getByRole("listitem").filter({ hasText: "Clara" }).first();
  await expect(clara).toContainText("Sources disagree about the employer: “fernhill.eu” against “kestrel.app”.");
  await clara.getByRole("button", { name: "Use kestrel.app" }).click();
  await undo(page, "Employer is now kestrel.app."); // the dispute is open again
  await expect(clara).toContainText("Sources disagree about the employer: “fernhill.eu” against “kestrel.app”.");
  await page.getByRole("heading", { name: "Activity" }).scrollIntoViewIfNeeded();
  await expect(page.locator(".recharts-bar-rectangle").first()).toBeVisible();
  await expect(page.getByRole("table", { name: "People by stage" })).toContainText("Identified");
  await expect(page.getByText("Say who your ideal customer is")).toBeVisible();
  await axe(page);
  await shoot(page, "home");
  await page.getByRole("button", { name: "Show table" }).click();
  const byDay = page.getByRole("region", { name: "Activity by day" });
  await expect(byDay.getByRole("row")).toHaveCount(31);
  await expect(byDay.getByRole("columnheader")).toHaveText(["Day", "E-mails", "Notes"]);
  await axe(page);
  await shoot(page, "home-table");

  // What is typed while the palette opens is its text, and does nothing to the page.
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("renewal");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toHaveValue("renewal");
  await expect(page.getByRole("option", { name: /Renewal plan/ })).toBeVisible();
  await page.getByRole("combobox", { name: "Command palette" }).fill("acme w");
  await expect(page.getByRole("option", { name: /Acme Works acmeworks\.com/ })).toBeVisible();
  await axe(page);
  await shoot(page, "palette-records");
  await page.getByRole("combobox", { name: "Command palette" }).fill("anna smith vp");
  await page.getByRole("option", { name: /^Anna Smith/ }).click();
  await expect(page.getByRole("heading", { name: "Anna Smith", level: 1 })).toBeVisible();

  // Actions on the record in view, by name, and the way back.
  const choose = async (text: string, option: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill(text);
    await page.getByRole("option", { name: option }).first().click();
  };
  const stage = await anna("pipeline_stage");
  await choose("move client", "Move Anna Smith to Client");
  await expect(page.getByText("Anna Smith moved to Client")).toBeVisible();
  await choose("undo", "Undo the last change Anna Smith moved to Client");
  await expect.poll(() => anna("pipeline_stage")).toBe(stage);
  await choose("merge", "Merge Anna Smith with…");
  // What is typed at once is kept, also while the dialog loads.
  await page.keyboard.type("ben");
  await expect(page.getByRole("dialog", { name: /Merge/ }).getByRole("combobox")).toHaveValue("ben");
  await page.keyboard.press("Escape");
  await page.goto(`/${owner.workspace_id}/triggers`);
  await choose("own anna smith", "Make me the owner of Anna Smith");
  await undo(page, /owns Anna Smith now/);
  await expect.poll(() => anna("owner")).toBeNull();
  const download = page.waitForEvent("download");
  await choose("export anna smith", "Export all data about Anna Smith");
  await (await download).cancel();
  await choose("log anna smith", "Log an activity with Anna Smith");
  await expect(page.getByRole("dialog", { name: "Log an activity" })).toBeVisible();
});
