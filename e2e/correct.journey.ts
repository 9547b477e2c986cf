/** What a person corrects: facts, identifiers, events, notes, and two records that are one. */
import { agentOf, axe, expect, type Owner, type Page, shoot, signIn, signInTo, stored, test, undo } from "./fixture.ts";

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const ANNA = "anna.smith@acmeworks.com";

const state = (property: string, value: unknown, days = 3) => ({
  kind: "state",
  property,
  value,
  source: "crm",
  observed_at: ago(days),
});

async function fill(baseURL: string, owner: Owner): Promise<void> {
  const send = agentOf(baseURL, owner);
  await send("/v2/companies", { domain: "acmeworks.com", name: "Acme Works", industry: "Fintech", country: "DE" });
  await send("/v2/observations", {
    focus: ANNA,
    observations: [
      state("first_name", "Anna"),
      state("last_name", "Smith"),
      state("job_title", "Sales Manager", 80),
      state("budget_eur", 12_000),
      state("uses_sso", false),
      state("tools", ["HubSpot", "Gong"]),
      state("renewal", "2026-06-03"),
      {
        kind: "event",
        property: "interaction.meeting_held",
        value: { description: "Discovery with the whole teem" },
        source: "fathom",
        observed_at: ago(6),
      },
      {
        kind: "event",
        property: "interaction.call",
        value: { description: "Wrong number" },
        source: "phone",
        observed_at: ago(2),
      },
    ],
  });
}

/** The newest message lies in front of the others. */
async function open(page: Page, owner: Owner, tab: string): Promise<void> {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/${ANNA}`);
  const wanted = page.getByRole("tab", { name: tab });
  await wanted.click();
  await expect(wanted).toHaveAttribute("aria-selected", "true");
}

test("facts are edited in place, added and marked as wrong", async ({ page, app, owner, allowErrors }) => {
  test.slow();
  allowErrors(/400/);
  await fill(app.baseURL, owner);
  await open(page, owner, "Facts");
  const facts = page.getByRole("list", { name: "Facts" });
  const fact = (name: string) => facts.getByRole("listitem").filter({ hasText: name });

  await facts.getByRole("button", { name: "Edit Title", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(facts.getByLabel("Title", { exact: true })).toBeFocused();
  await axe(page);
  await shoot(page, "fact-edit");
  await page.keyboard.press("Escape");
  await expect(facts.getByRole("button", { name: "Edit Title", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await facts.getByLabel("Title", { exact: true }).fill("VP Sales");
  await page.keyboard.press("Enter");
  await expect(fact("Title")).toContainText("VP Sales");
  await expect(fact("Title")).toContainText("Written in the app");
  await expect(facts.getByRole("button", { name: "Edit Title", exact: true })).toBeFocused();
  await undo(page, "Title changed");
  await expect(fact("Title")).toContainText("Sales Manager");

  await facts.getByRole("button", { name: "Edit Budget EUR", exact: true }).click({ force: true });
  await facts.getByLabel("Budget EUR", { exact: true }).fill("a lot");
  await page.keyboard.press("Enter");
  await expect(facts.getByText("Enter a number, such as 1200 or 0.5.")).toBeVisible();
  await axe(page);
  await facts.getByLabel("Budget EUR", { exact: true }).fill("15,500");
  await page.keyboard.press("Enter");
  await expect(fact("Budget EUR")).toContainText("15,500");

  await facts.getByRole("button", { name: "Edit Tools", exact: true }).click({ force: true });
  await facts.getByLabel("Tools", { exact: true }).fill("HubSpot\nClari");
  await facts.getByRole("button", { name: "Save" }).click();
  await expect(fact("Tools")).toContainText("HubSpot, Clari");

  await facts.getByRole("button", { name: "Mark Renewal as wrong" }).click({ force: true });
  await expect(fact("Renewal")).toHaveCount(0);
  await undo(page, "Renewal marked as wrong");
  await expect(fact("Renewal")).toContainText("Jun 3, 2026");

  await page.getByRole("button", { name: "Add fact" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a fact" });
  await dialog.getByLabel("Fact").fill("phone");
  await dialog.getByLabel("Value").fill("12");
  await dialog.getByRole("button", { name: "Add fact" }).click();
  await expect(dialog.getByText(/E\.164|country code/)).toBeVisible();
  await axe(page);
  await shoot(page, "fact-add");
  await dialog.getByLabel("Fact").fill("Decision by");
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Date" }).click();
  await dialog.getByLabel("Value").fill("2027-01-31");
  await dialog.getByRole("button", { name: "Add fact" }).click();
  await expect(dialog).toBeHidden();
  await expect(fact("Decision by")).toContainText("Jan 31, 2027");
  await page.reload();
  await expect(fact("Decision by")).toContainText("Jan 31, 2027");
  await expect(fact("Budget EUR")).toContainText("15,500");
  await shoot(page, "facts-corrected");
});

test("identifiers are added, made primary and removed", async ({ page, app, owner, allowErrors }) => {
  allowErrors(/409/);
  await fill(app.baseURL, owner);
  await agentOf(app.baseURL, owner)("/v2/people", { email: "ben@acmeworks.com", first_name: "Ben" });
  await open(page, owner, "Facts");
  const known = page.getByRole("complementary", { name: "Details" });
  await known.getByRole("button", { name: "Add an address" }).click();
  const form = known.getByRole("form", { name: "Add an address" });
  await form.getByLabel("E-mail").fill("ben@acmeworks.com");
  await page.keyboard.press("Enter");
  await expect(form.getByText(/Another record has this/)).toBeVisible();
  await axe(page);
  await shoot(page, "identifier-add");
  await form.getByLabel("E-mail").fill("anna@acmeworks.com");
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  const row = (value: string) => known.getByRole("listitem").filter({ hasText: value });
  await expect(row(ANNA)).toContainText("Primary");
  await known.getByRole("button", { name: "Change anna@acmeworks.com" }).click();
  await page.getByRole("menuitem", { name: "Make primary" }).click();
  await expect(row("anna@acmeworks.com")).toContainText("Primary");
  await known.getByRole("button", { name: `Change ${ANNA}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(row(ANNA)).toHaveCount(0);
  await undo(page, `${ANNA} removed`);
  await expect(row(ANNA)).toBeVisible();
  await expect(row("anna@acmeworks.com")).toContainText("Primary");
});

test("an activity is corrected, and removed with undo", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await open(page, owner, "Timeline");
  const event = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await page.getByRole("button", { name: "Change “Discovery with the whole teem”" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Correct…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Correct: Meeting held" });
  await dialog.getByLabel("What happened").fill("Discovery with the whole team");
  await dialog.getByLabel("When").fill("2999-01-01T10:00");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText(/is in the future/)).toBeVisible();
  await axe(page);
  await shoot(page, "event-correct");
  await dialog.getByLabel("When").fill(ago(5).slice(0, 16));
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(event("Discovery with the whole team")).toContainText("corrected");
  await expect(event("Discovery with the whole team")).toContainText("Moved to Evaluating");
  await expect(page.getByText("teem")).toHaveCount(0);

  await page.getByRole("button", { name: "Change “Discovery with the whole team”" }).focus();
  await page.keyboard.press("Enter");
  await axe(page);
  await shoot(page, "event-menu");
  await page.getByRole("menuitem", { name: "Did not happen" }).press("Enter");
  await expect(event("Discovery with the whole team")).toHaveCount(0);
  await expect(page.getByText("the stage is Identified again")).toBeVisible();
  const kept = stored(page);
  await undo(page, "Activity removed");
  await expect(event("Discovery with the whole team")).toBeVisible();
  await kept;
  await page.reload();
  await expect(event("Discovery with the whole team")).toContainText("corrected");
  await expect(event("Wrong number")).toBeVisible();
});

test("a note is corrected, and its versions are compared", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  const send = agentOf(app.baseURL, owner);
  await send("/v2/notes", { focus: ANNA, title: "Pricing call", content: "The budget is 40,000 eurros for licences." });
  await open(page, owner, "Notes");
  await page.getByRole("button", { name: "Pricing call" }).click();
  const reader = page.getByRole("dialog", { name: "Pricing call" });
  await reader.getByRole("button", { name: "Correct" }).click();
  const editor = page.getByRole("dialog", { name: "Correct the note" });
  await expect(editor.getByLabel("Title")).toHaveValue("Pricing call");
  await editor.getByLabel("Text").fill("The budget is 50,000 euros for licences.");
  await axe(page);
  await shoot(page, "note-correct");
  await editor.getByRole("button", { name: "Save correction" }).click();
  await expect(editor).toBeHidden();
  await expect(reader.getByText("The budget is 50,000 euros for licences.")).toBeVisible();
  await reader.getByRole("button", { name: "2 versions" }).click();
  const versions = reader.getByRole("list", { name: "Versions" });
  await expect(versions.getByRole("listitem")).toHaveCount(2);
  await expect(versions.locator("ins").first()).toContainText("50,000");
  await expect(versions.locator("del").first()).toContainText("40,000");
  await axe(page);
  await shoot(page, "note-versions");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Notes" }).getByRole("listitem")).toHaveCount(1);
  await page.goto(`/${owner.workspace_id}/notes?q=eurros`);
  await expect(page.getByText("eurros")).toHaveCount(0);
});

test("two records are merged with one choice for each field", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "a.s@gmail.com", first_name: "Anne", last_name: "Smythe", job_title: "VP Sales" });
  await open(page, owner, "Facts");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Merge with…" }).click();
  // What is typed at once is kept, and takes the place of the name that the search begins with.
  await page.keyboard.type("Anne");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("combobox")).toHaveValue("Anne");
  await dialog.getByRole("option", { name: /Anne Smythe/ }).click();
  await expect(dialog.getByText(/These two have nothing in common/)).toBeVisible();
  const choice = (name: string) => dialog.getByRole("group", { name });
  await expect(choice("First name").getByRole("radio", { name: /Anna/ })).toBeChecked();
  await expect(choice("Last name").getByRole("radio", { name: /Smith/ })).toBeChecked();
  await expect(choice("Primary e-mail").getByRole("radio", { name: ANNA })).toBeChecked();
  await expect(choice("Title").getByRole("radio", { name: /VP Sales/ })).toBeChecked();
  await choice("Title")
    .getByRole("radio", { name: /Sales Manager/ })
    .check();
  await axe(page);
  await shoot(page, "merge-fields");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(dialog).toBeHidden();
  const facts = page.getByRole("list", { name: "Facts" });
  await expect(facts.getByRole("listitem").filter({ hasText: "Title" })).toContainText("Sales Manager");
  await expect(facts.getByRole("listitem").filter({ hasText: "First name" })).toContainText("Anna");
  await undo(page, /is now part of/);
  await expect(page.getByText("Merge undone.")).toBeVisible();
  await expect(page.getByText("a.s@gmail.com")).toHaveCount(0);
});

test("a merge is undone from the menu of the record at any time", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "a.s@gmail.com", first_name: "Anne", last_name: "Smythe" });
  await send("/v2/accounts/merge", { keep: ANNA, drop: "a.s@gmail.com" });
  await open(page, owner, "Facts");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("Details", { exact: true }).click();
  await expect(details.getByRole("list", { name: "Merged records" })).toContainText("Anne Smythe");
  await expect(details.getByRole("list", { name: "Contact details" })).toContainText("a.s@gmail.com");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Undo a merge…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("list", { name: "Merged records" })).toContainText("a.s@gmail.com");
  await axe(page);
  await shoot(page, "merge-undo");
  await dialog.getByRole("button", { name: "Undo the merge of Anne Smythe" }).click();
  await expect(dialog.getByText("No record was merged into this one.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(details.getByRole("list", { name: "Contact details" })).not.toContainText("a.s@gmail.com");
});

test("a record says in short what matters, and a finger reaches what hover shows", async ({ browser, app, owner }) => {
  await fill(app.baseURL, owner);
  const context = await browser.newContext({
    baseURL: app.baseURL,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 1024, height: 768 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await signInTo(page, owner, `accounts/${ANNA}`);
  const short = page.getByRole("region", { name: "In short" });
  await expect(short).toContainText("Last: Call");
  await expect(short.getByRole("list", { name: "What matters most" })).toContainText("Sales Manager");
  const shown = (name: string) =>
    page
      .getByRole("button", { name })
      .first()
      .evaluate((button) => {
        let opacity = 1;
        for (let at: Element | null = button; at; at = at.parentElement)
          opacity *= Number(getComputedStyle(at).opacity);
        return opacity;
      });
  expect(await shown("Change “Wrong number”")).toBe(1);
  await short.getByRole("button", { name: "All facts" }).tap();
  await page.getByRole("button", { name: "Edit Title", exact: true }).tap();
  await expect(page.getByRole("list", { name: "Facts" }).getByLabel("Title", { exact: true })).toBeFocused();
  expect(await shown("Edit Budget EUR")).toBe(1);

  // On a phone the rows of Home act too.
  const state = (value: string, source: string) => ({ kind: "state", property: "job_title", value, source });
  await agentOf(app.baseURL, owner)("/v2/observations", {
    focus: ANNA,
    observations: [
      { ...state("CRO", "crm"), method: "asserted" },
      { ...state("VP Sales", "web"), method: "inferred" },
    ],
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/${owner.workspace_id}/home`);
  const row = page.getByRole("list", { name: "Needs attention" }).locator("[data-inbox]").first();
  await expect(row.getByRole("link", { name: /^Draft a reply to/ })).toBeVisible();
  await row.getByRole("button", { name: /^Add a task about/ }).tap();
  await expect(page.getByRole("dialog", { name: "Add task" })).toBeVisible();
  await context.close();
});

test("what agents see is the text they read, by sections", async ({ page, app, owner }) => {
  await fill(app.baseURL, owner);
  await open(page, owner, "What agents see");
  const section = page.getByRole("region", { name: "Facts", exact: true });
  await expect(section).toContainText("Title: Sales Manager");
  await expect(page.getByText(/\d of 2,000 tokens$/)).toBeVisible();
  const levels = await page
    .getByRole("main")
    .getByRole("heading")
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(
    levels.every((level, place) => level <= (levels[place - 1] ?? 0) + 1),
    "headings skip no level",
  ).toBe(true);
  await expect(page.getByText("<data>")).toHaveCount(0);
  await axe(page);
  await shoot(page, "agents-text");
  await page.getByRole("radio", { name: "Tokens" }).check();
  await expect(page.getByText(/tokens as JSON/)).toBeVisible();
  await expect(page.getByText(/A token is about four letters/)).toBeVisible();
  await expect(section.getByText(/ · \d+%/)).toBeVisible();
  await axe(page);
  await shoot(page, "agents-tokens");
  await page.getByRole("radio", { name: "JSON" }).check();
  await expect(page.getByRole("region", { name: "The answer" })).toContainText('"property": "job_title"');
  await axe(page);
  await shoot(page, "agents-json");
});
