/** The GTM Context tab: people and agents edit the same profile, and neither loses what they wrote. */
import { axe, expect, type Owner, type Page, shoot, signIn, stored, test } from "./fixture.ts";

type Fact = { id: string; category: string; content: string };

const first = "Series A fintechs in the EU, 20 to 200 people.";
const second = "Series A and B fintechs in the EU and UK, 20 to 300 people.";

/** What an agent does with the owner's key. */
function agentOf(baseURL: string, owner: Owner) {
  const headers = { authorization: `Bearer ${owner.api_key}`, "content-type": "application/json" };
  const send = async (path: string, body?: object) => {
    const answer = await fetch(baseURL + path, {
      headers,
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    expect(answer.ok, `${path} answers ${answer.status}`).toBe(true);
    return answer.json();
  };
  return {
    write: async (section: string, content: string, more: object = {}): Promise<Fact> =>
      ((await send("/v2/workspace/facts", { section, content, ...more })) as { fact: Fact }).fact,
    read: async (): Promise<Fact[]> => ((await send("/v2/workspace/facts")) as { facts: Fact[] }).facts,
    observe: (observations: object[]) => send("/v2/observations", { focus: "workspace", observations }),
  };
}

async function openTab(page: Page, owner: Owner, query = ""): Promise<void> {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/gtm-context${query}`);
  await expect(page.getByRole("heading", { name: "GTM Context", level: 1 })).toBeVisible();
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** A reader who comes back to the window sees what changed meanwhile. */
const lookAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));

test("an owner writes the ICP, an agent replaces it, and every version can be restored", async ({
  page,
  app,
  owner,
}) => {
  const agent = agentOf(app.baseURL, owner);
  await openTab(page, owner);
  const icp = section(page, "ICP");
  const editor = icp.getByRole("textbox", { name: "ICP: new entry" });
  await expect(editor).toBeVisible();
  await axe(page);
  await shoot(page, "gtm-first-run");

  await editor.fill(first);
  await editor.press("ControlOrMeta+Enter");
  await expect(icp.getByText(first)).toBeVisible();
  await expect(editor).toBeHidden();
  await expect(icp.getByText("Written in the app")).toBeVisible();
  await expect.poll(agent.read).toMatchObject([{ category: "ICP", content: first, source: "manual" }]);

  await agent.write("ICP", second); // told by the live stream
  await expect(icp.getByText(second)).toBeVisible();
  await expect(icp.getByText(first)).toBeHidden();

  await icp.getByRole("button", { name: "History of ICP" }).click();
  const history = page.getByRole("dialog", { name: "History of ICP" });
  await expect(history.getByRole("article")).toHaveCount(2);
  const newest = history.getByRole("article").first();
  await expect(newest.locator("ins").filter({ hasText: "and UK" })).toBeVisible();
  await expect(newest.getByText("Current")).toBeVisible();
  await expect(history.getByRole("article").last().getByText("Replaced")).toBeVisible();
  await axe(page);
  await history.getByRole("button", { name: "Restore" }).click();
  await expect(history.getByRole("article")).toHaveCount(3);
  await page.goBack();
  await expect(history).toBeHidden();
  await expect(icp.getByText(first)).toBeVisible();

  await icp.getByRole("article").hover();
  await icp.getByRole("button", { name: "Retire: no longer true" }).click();
  await expect(icp.getByText(first)).toBeHidden();
  await expect.poll(agent.read).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(icp.getByText(first)).toBeVisible();
  await expect.poll(agent.read).toMatchObject([{ content: first }]);

  await page.getByRole("button", { name: "Add a category" }).click();
  const naming = page.getByRole("dialog", { name: "Add a category" });
  await naming.getByRole("button", { name: "Continue" }).click();
  await expect(naming.getByText("Enter a name for the category.")).toBeVisible();
  await naming.getByLabel("Name").fill("Objections");
  await naming.getByRole("button", { name: "Continue" }).click();
  const objections = section(page, "Objections");
  await expect(objections.getByRole("textbox")).toBeFocused();
  await page.keyboard.type('"Too early for us": offer the pilot.');
  await objections.getByRole("button", { name: "Save" }).click();
  await expect(objections.getByRole("article")).toContainText("offer the pilot");
  await expect.poll(agent.read).toMatchObject([{ category: "Objections" }, { category: "ICP" }]);
});

test("two people who edit the same entry are warned, and neither is overwritten", async ({
  page,
  newVisitor,
  app,
  owner,
  allowErrors,
}) => {
  allowErrors("409");
  const agent = agentOf(app.baseURL, owner);
  await agent.write("Pricing", "From €1,000 a month, billed yearly.");
  const other = await newVisitor();
  await openTab(page, owner, "?edit=pricing");
  await openTab(other, owner, "?section=Pricing");

  const mine = section(page, "Pricing").getByRole("textbox");
  const theirs = section(other, "Pricing").getByRole("textbox");
  await expect(mine).toBeFocused();
  await mine.fill("From €1,500 a month, billed yearly.");
  await theirs.fill("From €1,000 a month, billed quarterly.");
  await theirs.press("ControlOrMeta+Enter");
  await expect.poll(agent.read).toMatchObject([{ content: "From €1,000 a month, billed quarterly." }]);
  await mine.press("ControlOrMeta+Enter");

  const conflict = page.getByRole("dialog", { name: "Pricing was changed while you were writing" });
  await expect(conflict.getByRole("region", { name: "Theirs" }).locator("del")).toHaveText(["€1,000", "quarterly"]);
  await expect(conflict.getByRole("region", { name: "Mine" }).locator("ins")).toHaveText(["€1,500", "yearly"]);
  await axe(page);
  await shoot(page, "gtm-conflict");
  await conflict.getByRole("button", { name: "Use mine" }).click();
  await expect(section(page, "Pricing").getByRole("article")).toContainText("€1,500");
  await expect(page).toHaveURL(/\/gtm-context$/);
  await expect.poll(agent.read).toMatchObject([{ content: "From €1,500 a month, billed yearly." }]);

  // While the other is still writing, an agent saves first: the editor says so and keeps the text; "theirs" wins.
  await lookAgain(other);
  await section(other, "Pricing").getByRole("article").hover();
  await section(other, "Pricing").getByRole("button", { name: "Edit" }).click();
  await theirs.fill("On request.");
  await agent.write("Pricing", "From €2,000 a month.");
  await lookAgain(other);
  await expect(section(other, "Pricing").getByText("Changed while you were writing (API).")).toBeVisible();
  await expect(theirs).toBeFocused();
  await expect(theirs).toHaveValue("On request.");
  await section(other, "Pricing").getByRole("button", { name: "Compare" }).click();
  await other.getByRole("button", { name: "Keep theirs" }).click();
  await expect(section(other, "Pricing").getByRole("article")).toContainText("€2,000");
});

test("a lost connection loses no text, nor does a reload", async ({ page, app, owner, allowErrors }) => {
  allowErrors("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "WebSocket");
  const agent = agentOf(app.baseURL, owner);
  await agent.write("Product", "Monitoring that needs no engineers.");
  await openTab(page, owner);
  const product = section(page, "Product");
  await product.getByRole("article").hover();
  await product.getByRole("button", { name: "Edit" }).click();
  await product.getByRole("textbox").fill("Monitoring that needs no engineers, live in two weeks.");

  await page.context().setOffline(true);
  await product.getByRole("button", { name: "Save" }).click();
  await expect(product.getByRole("alert")).toContainText("The server cannot be reached");
  await expect(product.getByRole("textbox")).toHaveValue(/two weeks/);
  await page.context().setOffline(false);

  await page.reload();
  await expect(product.getByText("Draft restored")).toBeVisible();
  await expect(product.getByRole("textbox")).toHaveValue(/two weeks/);
  await product.getByRole("button", { name: "Save" }).click();
  await expect(product.getByRole("article")).toContainText("two weeks");
  await expect(product.getByRole("textbox")).toBeHidden();
  await expect.poll(agent.read).toMatchObject([{ content: "Monitoring that needs no engineers, live in two weeks." }]);

  await page.reload();
  await expect(product.getByRole("article")).toContainText("two weeks");
  await expect(product.getByRole("textbox")).toBeHidden();
});

test("a profile shows where it comes from, how complete it is and what agents see", async ({ page, app, owner }) => {
  const agent = agentOf(app.baseURL, owner);
  await fill(agent);
  await openTab(page, owner);
  await expect(page.getByText("5 of 6 for scoring")).toBeVisible();
  await axe(page);
  await shoot(page, "gtm-filled");

  const market = section(page, "Market");
  await expect(market.getByText("Worth revisiting")).toBeVisible();
  await market.getByRole("button", { name: /Where it comes from/ }).click();
  const provenance = page.getByRole("dialog", { name: "Where this comes from" });
  await expect(provenance).toContainText("CRM export");
  await axe(page);
  await shoot(page, "gtm-provenance");
  await page.keyboard.press("Escape");
  await market.getByRole("button", { name: "Still true" }).click();
  await expect(market.getByText("Worth revisiting")).toBeHidden();

  await page.getByRole("link", { name: "Positioning", exact: true }).first().click();
  const positioning = section(page, "Positioning");
  await expect(positioning.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("The monitoring tool compliance officers run themselves.");
  await shoot(page, "gtm-editing");
  await page.keyboard.press("Escape");
  await expect(positioning.getByRole("textbox")).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(positioning.getByRole("textbox")).toHaveValue(/run themselves/);
  await positioning.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("6 of 6 for scoring")).toBeVisible();

  await page.getByRole("button", { name: "What agents see" }).click();
  const view = page.getByRole("dialog", { name: "What agents see" });
  await expect(view).toContainText("GTM PROFILE");
  await expect(view).toContainText("run themselves");
  await expect(view.getByText(/\d facts · \d+ tokens/)).toBeVisible();
  await axe(page);
  await shoot(page, "gtm-agent-view");
  await page.keyboard.press("Escape");
  await expect(view).toBeHidden();

  await page.goto(`/${owner.workspace_id}/gtm-context?history=icp`);
  await expect(page.getByRole("dialog", { name: "History of ICP" }).getByRole("article")).toHaveCount(3);
  await shoot(page, "gtm-history");
});

test("Markdown is shown as text, a click on it edits, and nothing moves while one works", async ({
  page,
  app,
  owner,
}) => {
  const agent = agentOf(app.baseURL, owner);
  await agent.write("Notes", "Never mention the **Series B**.");
  await agent.write("Notes", "Tone:\n\n- short sentences\n- [British English](https://example.com/tone)");
  await agent.observe([
    {
      kind: "state",
      property: `note.${crypto.randomUUID()}`,
      value: { category: "Notes", content: "Call before noon." },
      observed_at: new Date(Date.now() - 120 * 86_400_000).toISOString(),
    },
  ]);
  await agent.write("Market", "EU payment institutions.");
  await openTab(page, owner);
  const notes = section(page, "Notes");
  const texts = () => notes.getByRole("article").allInnerTexts();
  const order = async () => (await texts()).map((text) => text.split(/[\s.:]/)[0]);
  expect(await order()).toEqual(["Call", "Tone", "Never"]); // what is worth revisiting is first
  await expect(notes.getByRole("article").nth(1).getByRole("listitem")).toHaveText([
    "short sentences",
    "British English",
  ]);
  await expect(notes.getByRole("link", { name: "British English" })).toHaveAttribute(
    "href",
    "https://example.com/tone",
  );
  await expect(notes.locator("strong")).toHaveText("Series B");
  await expect(section(page, "Market").getByText("Complete")).toBeVisible();
  await expect(notes.getByText("Complete")).toBeHidden();
  const revisit = page.getByRole("region", { name: "Worth revisiting" });
  await expect(revisit.getByRole("link")).toHaveText(/Notes/);

  // A click on the text edits it, a click on a link in it does not, and what is selected is only selected.
  await notes.getByText("short sentences").click();
  const editor = notes.getByRole("textbox", { name: "Notes: edit entry" });
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue(/^Tone:\n\n- short sentences/);
  await editor.fill("Tone:\n\n1. *short* sentences\n2. British English");
  await editor.press("ControlOrMeta+Enter");
  await expect(editor).toBeHidden();
  await expect(notes.getByRole("listitem")).toHaveText(["short sentences", "British English"]);
  await expect(notes.locator("em")).toHaveText("short");
  expect(await order()).toEqual(["Call", "Tone", "Never"]);
  await expect(notes.getByRole("article").nth(1)).toContainText(owner.owner_email); // who wrote it
  await notes.getByText("Call before noon.").dblclick({ delay: 0 });
  await expect(notes.getByRole("textbox")).toBeVisible();
  await page.keyboard.press("Escape");

  // It is confirmed where it is, and another visit has it in its place.
  const kept = stored(page);
  await notes.getByRole("button", { name: "Still true" }).click();
  await expect(revisit).toBeHidden();
  await expect(notes.getByText("Complete")).toBeVisible();
  await kept;
  expect(await order()).toEqual(["Call", "Tone", "Never"]);
  await axe(page);
  await shoot(page, "gtm-markdown");
  await page.reload();
  await expect.poll(order).toEqual(["Call", "Tone", "Never"]);
});

test("by keyboard alone one can move through the sections, edit, add and read the history", async ({
  page,
  app,
  owner,
}) => {
  const agent = agentOf(app.baseURL, owner);
  await agent.write("ICP", first);
  await openTab(page, owner);
  await page.keyboard.press("j");
  await expect(section(page, "ICP")).toBeFocused();
  await page.keyboard.press("e");
  const editor = section(page, "ICP").getByRole("textbox");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(editor).toBeHidden();
  await page.keyboard.press("j");
  await expect(section(page, "Market")).toBeFocused();
  await page.keyboard.press("a");
  await expect(section(page, "Market").getByRole("textbox")).toBeFocused();
  await page.keyboard.type("EU payment institutions.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(section(page, "Market").getByRole("article")).toContainText("EU payment institutions.");
  await expect(section(page, "Market")).toBeFocused();
  await page.keyboard.press("h");
  await expect(page.getByRole("dialog", { name: "History of Market" })).toBeVisible();
});

test("the statements are visible before any script runs", async ({ browser, page, app, owner }) => {
  await agentOf(app.baseURL, owner).write("ICP", first);
  await signIn(page, owner);
  const bare = await browser.newContext({
    baseURL: app.baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await bare.newPage();
  await still.goto(`/${owner.workspace_id}/gtm-context`);
  await expect(section(still, "ICP").getByText(first)).toBeVisible();
  await bare.close();
});

/** A profile as a founder and two agents would have left it. */
async function fill(agent: ReturnType<typeof agentOf>): Promise<void> {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const note = (category: string, content: string, days: number, more: object = {}) => ({
    kind: "state",
    property: `note.${crypto.randomUUID()}`,
    value: { category, content },
    observed_at: daysAgo(days),
    ...more,
  });
  await agent.observe([
    note(
      "Market",
      "Compliance software for EU payment institutions: about 1,100 licensed firms, 12 % growth a year. PSD3 is expected to apply from 2027 and forces every one of them to re-tender transaction monitoring.",
      130,
      { source: "crm export" },
    ),
    note(
      "Competitors",
      "ComplyAdvantage: strong in enterprises and on brand, loses on set-up time (3 months against our 2 weeks).",
      41,
      { source: "call notes" },
    ),
    note(
      "Competitors",
      "In-house rules in SQL are the usual rival below 50 people; they switch after the first finding of an auditor.",
      12,
      { source: "win-loss agent", method: "inferred" },
    ),
    note(
      "Case studies",
      "Paynt (Vilnius, 60 people): alerts per analyst down 41 % in six weeks, audit passed without findings in March.",
      20,
    ),
  ]);
  await agent.write("ICP", "Fintechs in Europe.");
  await agent.write("ICP", "Series A fintechs in the EU with a payment licence, 20 to 200 people.");
  await agent.write(
    "Product",
    "Transaction monitoring that a compliance team sets up without engineers.\n\n- Rules in plain language, tested on last year's data before they go live\n- Every alert explains itself, so a junior analyst closes it in minutes\n- Live in two weeks; hosted in Frankfurt",
  );
  await agent.write(
    "Pricing",
    "From €1,500 a month by volume, yearly contract. Paid pilot €3,000, credited. Typical first year: €24,000, signed by the CFO.",
  );
  await agent.write(
    "GTM Motion",
    "Founder-led outbound to heads of compliance, 30-minute demo, paid pilot, CFO sign-off. 45 days from first call to signature.",
  );
  await agent.write("Notes", "Never mention the Series B in outreach before it is announced.");
  await agent.write("Notes", "Write in British English to UK and Irish accounts.");
  await agent.write(
    "ICP",
    "Series A and B fintechs in the EU and UK with a payment or e-money licence, 20 to 300 people, at least two compliance hires in the last year. Not: consultancies, crypto exchanges.",
  );
}
