/** Markup and addresses that a stranger stored, in every place that takes text: nothing of it runs on any page. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { type App, root } from "./app.ts";
import { agentOf, expect, type Owner, type Page, signIn, test } from "./fixture.ts";

const MARKUP = `"'><img src=x onerror="window.markupRan=1"><script>window.markupRan=1</script>`;
const ADDRESS = "javascript:window.markupRan=1//https://acme.com";
const NOTE = [
  MARKUP,
  `# ${MARKUP}`,
  `[click](${ADDRESS}) [tab](java\tscript:window.markupRan=1) <${ADDRESS}> [data](data:text/html,<script>1</script>)`,
  `![picture](${ADDRESS}) ![outside](https://tracker.example/pixel.png)`,
  `[named]: ${ADDRESS}\n[named]`,
  `| ${MARKUP} | b |\n|---|---|\n| <iframe src="${ADDRESS}"></iframe> | \`${MARKUP}\` |`,
  `\`\`\`html\n${MARKUP}\n\`\`\``,
].join("\n\n");

/** The pages of a workspace, as their folders say. */
const pages = globSync("**/page.tsx", { cwd: join(root, "app/(app)/[workspace]") })
  .map((file) => file.replaceAll("\\", "/").replace(/\/?page\.tsx$/, ""))
  .filter((path) => path !== "[...missing]")
  .toSorted();

/** What the owner's browser sends from our pages. */
const windowOf =
  (page: Page, { baseURL }: App, owner: Owner) =>
  async (path: string, data: object, method = "POST") => {
    const headers = { origin: baseURL };
    const answer = await page.request.fetch(`/api/app/${owner.workspace_id}${path}`, { method, headers, data });
    expect(answer.ok(), `${path} answers ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Record<string, Record<string, string>>;
  };

/** Stores it wherever text is taken; the ids of the records that have pages of their own. */
async function store(page: Page, app: App, owner: Owner): Promise<Record<string, string[]>> {
  const agent = agentOf(app.baseURL, owner);
  const asOwner = windowOf(page, app, owner);
  const anna = "anna@markup.example";
  await agent("/v2/companies", { domain: "markup.example", name: MARKUP, industry: MARKUP, country: MARKUP });
  await agent("/v2/people", { email: anna, first_name: MARKUP, last_name: MARKUP, job_title: MARKUP, region: MARKUP });
  const state = (property: string, value: unknown) => ({ kind: "state", property, value, source: MARKUP });
  await agent("/v2/observations", {
    focus: anna,
    observations: [
      ...[state("markup_html", MARKUP), state("markup_address", ADDRESS), state("website", ADDRESS)],
      ...[state("markup_list", [MARKUP, ADDRESS]), state("markup_object", { [MARKUP]: MARKUP, url: ADDRESS })],
    ],
  });
  const metadata = {
    title: MARKUP,
    subject: MARKUP,
    location: ADDRESS,
    share_url: ADDRESS,
    url: ADDRESS,
    link: ADDRESS,
  };
  for (const type of ["meeting_scheduled", "meeting_held", "email_received", "website_visit", "call", "custom"])
    await agent("/api/v1/capture", { email: anna, type, source: MARKUP, description: MARKUP, metadata });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await agent("/api/v1/capture", {
    ...{ email: anna, type: "meeting_scheduled", occurred_at: tomorrow, description: MARKUP },
    metadata: { ...metadata, start: tomorrow, end: tomorrow },
  });
  await agent("/v2/notes", { focus: anna, title: MARKUP, content: NOTE });
  await agent("/v2/workspace/facts", { section: "ICP", content: NOTE });
  await agent("/v2/workspace/facts", { section: "Market", content: `${MARKUP} ${ADDRESS}` });
  await asOwner("/gtm-context/entries", { category: MARKUP.slice(0, 60), content: NOTE });
  await agent("/v2/tasks", { title: MARKUP, focus: anna, due: new Date().toISOString() });
  await agent("/v2/workspace/scoring-model", {
    signals: [{ key: "markup", label: MARKUP, weight: 5, rule: { feature: "region", op: "exists" } }],
  });

  const made = await agent("/v2/lead-lists", { name: MARKUP, source: MARKUP, columns: [MARKUP] });
  const list = (made.lead_list as { id: string }).id;
  const lead = {
    list_id: list,
    email: anna,
    name: MARKUP,
    company: MARKUP,
    fields: { [MARKUP]: MARKUP, site: ADDRESS },
  };
  await agent("/v2/leads", lead);
  const { trigger } = await agent("/v2/workspace/triggers", {
    ...{ url: "http://127.0.0.1:9/?q=%3Cscript%3E", name: MARKUP, events: ["activity.call"] },
  });
  const file = {
    name: MARKUP,
    file_name: `${MARKUP}.csv`.replaceAll("/", ""),
    content: `Email,${cell(MARKUP)}\nb@markup.example,${cell(MARKUP)}\nx,${cell(ADDRESS)}\n`,
  };
  const { import: begun } = await agent("/v2/imports", file);
  await agent("/v2/exports", { what: "people", filters: { search: MARKUP } });

  await asOwner("/views", { list: "people", name: MARKUP.slice(0, 60), place: "pipeline_stage=client", pinned: true });
  await asOwner("/workspace", { name: MARKUP.slice(0, 80) }, "PATCH");
  await asOwner("/invitations", { role: "member" });
  const { api_key } = await asOwner("/api-keys", { name: MARKUP.slice(0, 60), scopes: ["write"], approval: "writes" });
  const careful = agentOf(app.baseURL, { ...owner, api_key: String(api_key) });
  await careful("/v2/notes", { focus: anna, title: MARKUP, content: NOTE });
  await careful("/v2/people", { email: anna, first_name: ADDRESS, job_title: MARKUP });
  await page.request.patch("/api/account/profile", { headers: { origin: app.baseURL }, data: { name: MARKUP } });
  const { entity_id: person } = await agent("/v2/observations", { focus: anna, observations: [state("seen", true)] });
  const { entity_id: company } = await agent("/v2/observations", {
    focus: "markup.example",
    observations: [state("markup_html", MARKUP)],
  });
  return {
    "accounts/[id]": [String(person), String(company)],
    "imports/[id]": [(begun as { id: string }).id],
    "leads/[list]": [list],
    "triggers/[id]": [(trigger as { id: string }).id],
  };
}

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Nothing of it is an element or a link of the page, and nothing ran. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: "markupRan" in window,
    elements: document.querySelectorAll('img[src="x"], [onerror], iframe, object, embed, img[src^="http"]').length,
    scripts: [...document.scripts].filter(({ textContent }) => textContent.trim() === "window.markupRan=1").length,
    links: [...document.querySelectorAll("a[href], form[action], button[formaction], area[href]")]
      .map((each) => each.getAttribute("href") ?? each.getAttribute("action") ?? each.getAttribute("formaction") ?? "")
      .filter((address) => !/^(https?:|mailto:|tel:|blob:|\/(?![/\\])|\?|#)/i.test(address)),
  }));
  expect(found, page.url()).toEqual({ ran: false, elements: 0, scripts: 0, links: [] });
}

test("stored markup is text on every page, and no stored address is a link that runs", async ({ app, owner, page }) => {
  test.slow();
  await signIn(page, owner);
  const records = await store(page, app, owner);
  expect(Object.keys(records).toSorted()).toEqual(pages.filter((path) => path.includes("[")));
  let shown = 0;
  for (const path of pages)
    for (const id of records[path] ?? [""]) {
      await page.goto(`/${owner.workspace_id}/${path.replace(/\[\w+\]/, id)}`);
      await expect(page.getByRole("main")).toBeVisible();
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      await expectInert(page);
      if ((await page.getByRole("main").innerText()).includes("<img src=x")) shown++;
    }
  // It is there to be seen, as what it is.
  expect(shown).toBeGreaterThan(8);
});

test("stored markup is text where it is opened: tabs, a note, pages that ask a person, and addresses of ours", async ({
  app,
  owner,
  page,
}) => {
  test.slow();
  await signIn(page, owner);
  const records = await store(page, app, owner);
  for (const id of records["accounts/[id]"] ?? []) {
    await page.goto(`/${owner.workspace_id}/accounts/${id}`);
    const tabs = page.getByRole("main").getByRole("tab");
    await expect.poll(() => tabs.count()).toBeGreaterThan(2);
    for (const tab of await tabs.all()) {
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
      await expectInert(page);
    }
  }
  await page.goto(`/${owner.workspace_id}/notes`);
  await page
    .getByRole("main")
    .getByRole("button", { name: /<img src=x/ })
    .first()
    .click();
  await expect(page.getByText("click", { exact: false }).first()).toBeVisible();
  await expectInert(page);

  // What a program or client calls itself, where a person decides.
  const headers = { "content-type": "application/json", "x-service-client": MARKUP };
  const begun = await fetch(`${app.baseURL}/api/cli/auth/start`, {
    method: "POST",
    headers,
    body: JSON.stringify({ host: MARKUP }),
  });
  await page.goto(((await begun.json()) as { verification_uri_complete: string }).verification_uri_complete);
  await expect(page.getByText("<img src=x")).not.toHaveCount(0);
  await expectInert(page);
  const registered = await fetch(`${app.baseURL}/oauth/register`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      client_name: MARKUP,
      redirect_uris: ["http://127.0.0.1:33418/callback"],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const asked = new URLSearchParams({
    ...{ client_id, response_type: "code", redirect_uri: "http://127.0.0.1:33418/callback", scope: "read" },
    ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256", state: MARKUP, resource: `${app.baseURL}/mcp` },
  });
  await page.goto(`/oauth/authorize?${asked}`);
  await expectInert(page);
  // Addresses of our pages that carry text.
  for (const path of [
    `/sign-in?error=${encodeURIComponent(MARKUP)}&next=${encodeURIComponent(ADDRESS)}`,
    `/reset-password?token=${encodeURIComponent(MARKUP)}`,
    `/device?user_code=${encodeURIComponent(MARKUP)}`,
    `/invite/${encodeURIComponent(MARKUP)}`,
    `/${owner.workspace_id}/people?search=${encodeURIComponent(MARKUP)}`,
  ]) {
    await page.goto(path);
    await expectInert(page);
  }
});
