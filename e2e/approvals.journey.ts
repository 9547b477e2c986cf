/** A key whose writes need approval: its changes wait, a person sees what would change and decides. */
import { agentOf, axe, expect, type Owner, type Page, shoot, signIn, test } from "./fixture.ts";

/** Makes a key whose writes need approval, or some of them, as a person does. */
async function mintCareful(
  page: Page,
  owner: Owner,
  { access = "Read and write", mode = "Writes need approval" } = {},
): Promise<Owner> {
  await page.goto(`/${owner.workspace_id}/api-keys?new=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Careful agent");
  await dialog.getByRole("radio", { name: access }).click();
  await dialog.getByRole("radio", { name: mode }).click();
  await axe(page);
  await shoot(page, "api-key-new-approval");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const api_key = (await dialog.getByText(/^rpt_\w{6}_\w{38}$/).textContent()) ?? "";
  await dialog.getByRole("button", { name: "Copied, done" }).click();
  await expect(page.getByRole("row", { name: /Careful agent/ })).toContainText(mode);
  return { ...owner, api_key };
}

test("what an agent wants to write waits, is seen, approved and rejected", async ({ app, owner, page }) => {
  test.slow();
  const free = agentOf(app.baseURL, owner);
  await free("/v2/workspace/facts", { section: "ICP", content: "Series A fintechs in the EU, 20 to 200 people." });
  await free("/v2/observations", {
    focus: "anna@acme.com",
    observations: [{ kind: "state", property: "job_title", value: "Head of Sales" }],
  });
  await signIn(page, owner);
  const careful = await mintCareful(page, owner);
  const agent = agentOf(app.baseURL, careful);
  const link = page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: /Approvals/ });

  await page.goto(`/${owner.workspace_id}/approvals`);
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();
  await axe(page);
  await shoot(page, "approvals-empty");

  // What an agent asks for appears by itself.
  const asked = await agent("/v2/workspace/facts", {
    section: "ICP",
    content: "Series B fintechs in the EU, 50 to 500 people.",
  });
  expect(asked).toMatchObject({ status: "pending_approval" });
  const items = page.getByRole("list", { name: "Changes waiting for approval" }).getByRole("listitem");
  await expect(items).toHaveCount(1);
  await expect(link).toContainText("1");
  await agent("/v2/observations", {
    focus: "anna@acme.com",
    observations: [
      { kind: "state", property: "job_title", value: "CFO" },
      { kind: "state", property: "region", value: "DACH" },
    ],
  });
  await agent("/v2/notes", {
    focus: "anna@acme.com",
    title: "Discovery call",
    content: "Anna wants SSO.\n\nBudget is there.",
  });
  await expect(items).toHaveCount(3);
  await expect(link).toContainText("3");

  await items.filter({ hasText: "Record 2 observations about anna@acme.com" }).getByRole("button").first().click();
  const opened = items.filter({ has: page.getByRole("button", { name: /^Approve/ }) });
  await expect(opened).toHaveCount(1);
  await expect(opened.getByText("Head of Sales")).toBeVisible();
  await expect(opened.getByText("CFO")).toBeVisible();
  await expect(opened.getByText("DACH")).toBeVisible();
  await axe(page);
  await shoot(page, "approvals-record");

  // By keyboard: down to the section, and approved.
  await page.keyboard.press("j");
  await expect(opened).toContainText("Replace the section ICP of the GTM profile");
  await expect(opened.locator("del").first()).toBeVisible();
  await shoot(page, "approvals-section");
  await page.keyboard.press("a");
  await expect(page.getByText("Approved and done.")).toBeVisible();
  await expect(items).toHaveCount(2);
  await expect(link).toContainText("2");
  const answer = await fetch(`${app.baseURL}/v2/approvals/${asked.approval_id}`, {
    headers: { authorization: `Bearer ${careful.api_key}` },
  });
  expect(await answer.json()).toMatchObject({
    status: "approved",
    result: { fact: { content: "Series B fintechs in the EU, 50 to 500 people." } },
  });

  // Rejected with a reason.
  await expect(opened).toContainText("Record 2 observations");
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("She is still Head of Sales.");
  await axe(page);
  await shoot(page, "approvals-reject");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Rejected. Nothing was changed.")).toBeVisible();
  await expect(items).toHaveCount(1);
  await opened.getByRole("button", { name: /^Approve/ }).click();
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();
  await expect(link).not.toContainText("waiting");

  await page.getByRole("button", { name: "Show decided changes" }).click();
  const decided = page.getByRole("region", { name: "Decided changes" }).getByRole("listitem");
  await expect(decided).toHaveCount(3);
  await expect(decided.filter({ hasText: "She is still Head of Sales." })).toContainText("Rejected");
  await axe(page);
  await shoot(page, "approvals-decided");

  await page.goto(`/${owner.workspace_id}/settings/audit-log`);
  await expect(page.getByText("approved a change of Careful agent (save fact)")).toBeVisible();
  await expect(page.getByText("rejected a change of Careful agent (record observations)")).toBeVisible();

  await page.goto(`/${owner.workspace_id}/api-keys`);
  await page.getByRole("button", { name: "Actions for Careful agent" }).click();
  await page.getByRole("menuitem", { name: "Writes without approval" }).click();
  await expect(page.getByText("Careful agent now writes without approval.")).toBeVisible();
  expect(await agent("/v2/workspace/facts", { section: "Market", content: "EU" })).toHaveProperty("fact");
});

test("an erasure is asked for once more before it is approved", async ({ app, owner, page }) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  await signIn(page, owner);
  const agent = agentOf(app.baseURL, await mintCareful(page, owner, { access: "Admin" }));
  await agent("/v2/accounts/erase", { focus: "anna@acme.com" });
  await page.goto(`/${owner.workspace_id}/approvals`);
  await page.getByRole("button", { name: /^Approve/ }).click();
  const alert = page.getByRole("alertdialog");
  await expect(alert).toContainText("This cannot be undone.");
  await axe(page);
  await alert.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Approved and done.")).toBeVisible();
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();
});

test("who approves a trigger sees its secret once", async ({ app, owner, page }) => {
  await signIn(page, owner);
  const careful = await mintCareful(page, owner, { access: "Admin" });
  const agent = agentOf(app.baseURL, careful);
  const asked = await agent("/v2/workspace/triggers", { url: "https://hooks.example.com/in", events: ["note.saved"] });
  await page.goto(`/${owner.workspace_id}/approvals`);
  await page.getByRole("button", { name: /^Approve/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/^whsec_\S{44}$/)).toBeVisible();
  await axe(page);
  await shoot(page, "approvals-secret");
  await dialog.getByRole("button", { name: "Copied, done" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();
  const answer = await fetch(`${app.baseURL}/v2/approvals/${asked.approval_id}`, {
    headers: { authorization: `Bearer ${careful.api_key}` },
  });
  expect(await answer.text()).not.toContain("whsec_");
});

test("an agent asks only where a person spoke, by record; all is decided together, and a rule lets it set a property", async ({
  app,
  owner,
  page,
}) => {
  test.slow();
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna", last_name: "Berg" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/anna@acme.com`);
  const byPerson = (fields: object, email = "anna@acme.com") =>
    page.evaluate(
      ([workspaceId, body, focus]) =>
        fetch(`/api/app/${workspaceId}/v2/people/${focus}`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body,
        }).then(({ status }) => status),
      [owner.workspace_id, JSON.stringify(fields), email] as const,
    );
  expect(await byPerson({ job_title: "CTO", region: "DACH", phone: "+4930901820" })).toBe(200);
  const agent = agentOf(app.baseURL, await mintCareful(page, owner, { mode: "Asks to change what people said" }));
  const set = (states: Record<string, string>, focus = "anna@acme.com") =>
    agent("/v2/observations", {
      focus,
      observations: Object.entries(states).map(([property, value]) => ({ kind: "state", property, value })),
    });

  await page.goto(`/${owner.workspace_id}/approvals`);
  await set({ job_title: "CEO", region: "EMEA", phone: "+4930901821", budget: "50k" });
  const group = page.getByRole("region", { name: /^Anna Berg asked by Careful agent/ });
  const items = group.getByRole("listitem");
  await expect(items).toHaveCount(3);
  await expect(group).not.toContainText("budget");
  await items.filter({ hasText: "Set job title of Anna Berg" }).getByRole("button").first().click();
  await expect(items.getByText("CTO")).toBeVisible();
  await axe(page);
  await shoot(page, "approvals-of-a-person");

  // One is approved for good, the others are rejected together.
  await page.getByLabel("Always let Careful agent set job title").check();
  await page.getByRole("button", { name: /^Approve\b(?! these)/ }).click();
  await expect(page.getByText("Approved and done.")).toBeVisible();
  await expect(items).toHaveCount(2);
  await group.getByRole("button", { name: "Reject these 2: Anna Berg, asked by Careful agent" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();

  // What was rejected is not asked for again; what is new is approved together.
  await set({ job_title: "Chief Executive", region: "EMEA", phone: "+4930901822" });
  await set({ region: "Nordics" });
  await expect(items).toHaveCount(2);
  await expect(group.getByRole("button", { name: "Approve these 2: Anna Berg, asked by Careful agent" })).toBeVisible();

  // By key: to the group of another record, which has one change, and back; then the whole group.
  await agentOf(app.baseURL, owner)("/v2/people", { email: "bob@acme.com", first_name: "Bob" });
  expect(await byPerson({ region: "DACH" }, "bob@acme.com")).toBe(200);
  await set({ region: "EMEA" }, "bob@acme.com");
  const opened = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Approve\b(?! these)/ }) });
  await expect(page.getByRole("region", { name: /^Bob asked by/ }).getByRole("listitem")).toHaveCount(1);
  await items.first().getByRole("button").first().click();
  await expect(opened).toContainText("of Anna Berg");
  await shoot(page, "approvals-group-keys");
  await page.keyboard.press("Shift+K");
  await expect(opened).toContainText("of Bob");
  await page.keyboard.press("Shift+A");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.keyboard.press("Shift+J");
  await expect(opened).toContainText("of Anna Berg");
  await page.keyboard.press("Shift+X");
  const rejecting = page.getByRole("dialog", { name: "Reject these changes" });
  await expect(rejecting).toContainText("2 changes");
  await rejecting.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Shift+A");
  const alert = page.getByRole("alertdialog");
  await axe(page);
  await shoot(page, "approvals-approve-all");
  await alert.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("2 changes approved and done.")).toBeVisible();
  await expect(opened).toContainText("of Bob");
  await page.keyboard.press("a");
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/accounts/anna@acme.com`);
  await expect(page.getByText("Chief Executive").first()).toBeVisible();
  await expect(page.getByText("Nordics").first()).toBeVisible();

  // The rule is with the key, and can be taken back.
  await page.goto(`/${owner.workspace_id}/api-keys`);
  await page.getByRole("button", { name: "Careful agent", exact: true }).click();
  const rules = page.getByRole("list", { name: "Careful agent may always set" });
  await expect(rules).toContainText("job title");
  await axe(page);
  await shoot(page, "api-key-rules");
  await rules.getByRole("button", { name: "Ask again before it sets job title" }).click();
  await expect(rules).toHaveCount(0);
  await page.goto(`/${owner.workspace_id}/settings/audit-log`);
  await expect(page.getByText("let Careful agent always set job_title")).toBeVisible();
  await expect(page.getByText("no longer lets Careful agent always set job_title")).toBeVisible();
});
