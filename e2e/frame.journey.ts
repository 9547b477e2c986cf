/** What holds on every page: nothing is wider than the screen, targets are large enough, one width per kind of page. */
import { randomUUID } from "node:crypto";
import { scriptsOf } from "#lib/testing/page-scripts.ts";
import type { App } from "./app.ts";
import {
  agentOf,
  axe,
  axeInTheDark,
  converseWith,
  expect,
  inviteGrace,
  type Owner,
  PASSWORD,
  type Page,
  rapport,
  shoot,
  signIn,
  test,
} from "./fixture.ts";

/** 60 characters, without a place to break. */
const emailOf = (start: string): string => {
  const domain = "@acme.example";
  return `${`${start}${randomUUID().replaceAll("-", "")}`.padEnd(60 - domain.length, "x").slice(0, 60 - domain.length)}${domain}`;
};
const LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";

async function createLongOwner(app: App): Promise<Owner> {
  const email = emailOf("owner");
  const made = await rapport<Omit<Owner, "workspace_name">>(
    app,
    ...["admin", "workspace", "create", "--name", LONG, "--owner-email", email, "--owner-password", PASSWORD],
  );
  return { ...made, workspace_name: LONG };
}

type Kind = "text" | "wide" | "full";
const folders: Readonly<Record<string, Kind>> = {
  home: "wide",
  people: "full",
  companies: "full",
  leads: "wide",
  notes: "wide",
  "gtm-context": "wide",
  activity: "wide",
  approvals: "text",
  integrations: "text",
  "integrations/deliveries": "wide",
  triggers: "wide",
  "api-keys": "wide",
  connect: "text",
  imports: "wide",
  settings: "wide",
  "settings/members": "wide",
  "settings/workspace": "wide",
  "settings/stages": "wide",
  "settings/scoring": "wide",
  "settings/connected-clients": "wide",
  "settings/data": "wide",
  "settings/sample-data": "wide",
  "settings/plan": "wide",
  "settings/backups": "wide",
  "settings/checks": "wide",
  "settings/jobs": "wide",
  "settings/audit-log": "wide",
  "settings/delete": "wide",
  "no-such-page": "wide",
};

/** Fills every list with what is long and has no place to break; returns the pages of single records. */
async function fill(app: App, owner: Owner): Promise<Record<string, Kind>> {
  const send = agentOf(app.baseURL, owner);
  const email = emailOf("person");
  await send("/v2/people", { email, first_name: LONG, last_name: LONG, title: LONG, company_name: LONG });
  await send("/v2/people", { email: emailOf("nameless") });
  await send("/v2/companies", { domain: `${"x".repeat(55)}.example`, name: LONG });
  await send("/api/v1/capture", { email, type: "email_sent", description: LONG, external_id: "long" });
  await send("/v2/notes", { focus: email, content: `${LONG}\n\n${LONG}${LONG}`, title: LONG });
  const list = await send("/v2/lead-lists", { name: LONG });
  const trigger = await send("/v2/workspace/triggers", {
    name: LONG,
    url: `http://127.0.0.1:9/${"x".repeat(80)}`,
    events: ["stage.advanced"],
  });
  const idOf = (value: unknown): string => (value as { id: string }).id;
  return {
    [`accounts/${email}`]: "wide",
    [`leads/${idOf(list.list ?? list.lead_list)}`]: "full",
    [`triggers/${idOf(trigger.trigger)}`]: "wide",
  };
}

/** Waits until the page shows its content and not only its skeleton. */
async function open(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  expect(answer?.headers()["content-security-policy"], address).toContain("frame-ancestors 'none'");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
}

/** Controls whose target is smaller than 24 × 24 px. Links in running text are as high as their line. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=option]";
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      const style = getComputedStyle(element);
      const shown = element.getBoundingClientRect();
      if (shown.width < 2 || style.visibility === "hidden" || element.closest("[aria-hidden=true], [inert]")) continue;
      if (shown.width >= 24 && shown.height >= 24) continue;
      if (element.tagName === "A" && style.display === "inline") continue;
      element.scrollIntoView({ block: "center", inline: "center" });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      // A label, or a layer of the control itself, may make the target larger than its box.
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
      const isTarget = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return hit !== null && (element.contains(hit) || label?.contains(hit) === true);
      };
      const reach = (
        shown.width < 24
          ? [
              [-11, 0],
              [11, 0],
            ]
          : []
      ).concat(
        shown.height < 24
          ? [
              [0, -11],
              [0, 11],
            ]
          : [],
      );
      if (!reach.every(([dx = 0, dy = 0]) => isTarget(dx, dy)))
        found.push(`${element.outerHTML.slice(0, 160)} (${Math.round(shown.width)} × ${Math.round(shown.height)})`);
    }
    window.scrollTo(0, 0);
    return found;
  });

/** What is wider than the screen, and the width of the page. */
const tooWide = (page: Page): Promise<{ page: number; by: string[] }> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const by = [...document.querySelectorAll("body *")]
      .filter((element) => {
        if (element.getBoundingClientRect().right <= width + 1) return false;
        for (let up = element.parentElement; up; up = up.parentElement)
          if (up !== document.body && /auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return false;
        return true;
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`);
    return { page: document.documentElement.scrollWidth, by: by.slice(0, 3) };
  });

/** The width of each kind of page where there is room, in px (`components/ui/page-header.tsx`); a list has all of it. */
const widthOf: Readonly<Record<Kind, number | "all">> = { text: 768, wide: 1152, full: "all" };

/** The width of a page's content, in px or all there is. */
const contentWidth = (page: Page): Promise<number | "all"> =>
  page.evaluate(() => {
    const main = document.querySelector("main") as HTMLElement;
    const { paddingLeft, paddingRight } = getComputedStyle(main);
    const room = main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const width = Math.round((main.querySelector(":scope > div") as HTMLElement).getBoundingClientRect().width);
    return width === Math.round(room) ? "all" : width;
  });

/**
 * Every page once, filled with what is long and has no place to break. On a phone nothing is wider than the screen, on a desktop each
 * kind of page has one width; on both every target is large enough; axe finds nothing in either theme.
 */
for (const half of [0, 1])
  test(`every page fits, has targets that are large enough and passes axe, half ${half + 1}`, async ({
    app,
    page,
    allowErrors,
  }) => {
    test.setTimeout(300_000);
    const owner = await createLongOwner(app);
    const records = await fill(app, owner);
    await signIn(page, owner);
    allowErrors("404 (Not Found)");
    const problems: string[] = [];
    for (const [index, [folder, kind]] of Object.entries({ ...folders, ...records }).entries()) {
      if (index % 2 !== half) continue;
      await page.setViewportSize({ width: 390, height: 844 });
      await open(page, `/${owner.workspace_id}/${folder}`);
      const { page: width, by } = await tooWide(page);
      if (width > 390) problems.push(`${folder} is ${width} px wide: ${by.join(" | ")}`);
      for (const small of await smallTargets(page)) problems.push(`${folder} on a phone: ${small}`);

      await page.setViewportSize({ width: 1600, height: 900 });
      const content = await contentWidth(page);
      if (content !== widthOf[kind]) problems.push(`${folder} (${kind}) is ${content} px wide`);
      for (const small of await smallTargets(page)) problems.push(`${folder}: ${small}`);
      await axe(page);
      await axeInTheDark(page);
    }
    expect(problems).toEqual([]);
  });

test("settings are a list beside the page, and no strip of tabs scrolls by a pixel", async ({ page, app, owner }) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  const list = page.getByRole("navigation", { name: "Settings" });
  await expect(list.getByRole("link")).toHaveCount(14);
  const [side, card] = [await list.boundingBox(), await page.locator("main section").first().boundingBox()];
  expect((side?.x ?? 0) + (side?.width ?? 0)).toBeLessThan(card?.x ?? 0);
  await page.goto(`/${owner.workspace_id}/accounts/anna@acme.com`);
  const strip = page.getByRole("tablist").first();
  expect(await strip.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter)).toBe("stable");
});

/** What a list of widths does to a page: texts of which less than half a dozen letters are left, and values without room. */
const cutAt = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const LEAST = 44;
    const found: string[] = [];
    const words = document.createTreeWalker(document.querySelector("main") as Element, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const parent = node.parentElement as HTMLElement;
      if (!node.nodeValue?.trim() || parent.closest("svg, .sr-only, [aria-hidden=true], script")) continue;
      // A line of several texts is cut at its end, as one.
      const isLine = [...parent.childNodes].every((each) => each.nodeType === Node.TEXT_NODE);
      range.selectNodeContents(isLine ? parent : node);
      const full = range.getBoundingClientRect();
      if (full.width === 0) continue;
      let [left, right] = [full.left, full.right];
      for (let box: HTMLElement | null = parent; box && box.tagName !== "MAIN"; box = box.parentElement) {
        const { overflowX, visibility } = getComputedStyle(box);
        if (visibility === "hidden") left = right + 1000;
        // What scrolls can be reached.
        if (overflowX === "auto" || overflowX === "scroll") break;
        if (overflowX === "visible") continue;
        const edges = box.getBoundingClientRect();
        // What only screen readers see.
        if (edges.width <= 1) left = right + 1000;
        left = Math.max(left, edges.left);
        right = Math.min(right, edges.right);
      }
      if (left > right + 500) continue;
      if (right - left < Math.min(full.width, LEAST) - 1)
        found.push(`${Math.round(right - left)} px of “${node.nodeValue.slice(0, 30)}”`);
    }
    for (const value of document.querySelectorAll<HTMLElement>("[aria-label=Facts] [data-value]"))
      if (value.clientWidth < 160) found.push(`a value has ${value.clientWidth} px`);
    return [...new Set(found)];
  });

test("no page loads more than 200 kB of script", async ({ app, owner, page }) => {
  await signIn(page, owner);
  const send = agentOf(app.baseURL, owner);
  const { person } = await send("/v2/people", { email: "anna@acme.com" });
  const pages = [
    ...[
      "home",
      "people",
      "companies",
      "leads",
      "notes",
      "gtm-context",
      "activity",
      "imports",
      "integrations",
      "triggers",
    ],
    ...["api-keys", "connect", "settings", "settings/members", "settings/scoring", "settings/stages"],
    `accounts/${(person as { id: string }).id}`,
  ];
  const weights = await Promise.all(
    pages.map(async (name) => {
      const answer = await page.request.get(`/${owner.workspace_id}/${name}`);
      return { name, ...(await scriptsOf(await answer.text(), app.baseURL)) };
    }),
  );
  expect(
    weights.filter(({ files }) => files < 3),
    "every page has scripts",
  ).toEqual([]);
  expect(
    weights.filter(({ kb }) => kb > 200),
    "kB after gzip, of the scripts in the markup",
  ).toEqual([]);
});

test("no value is cut to nothing at any width", async ({ app, owner, page }) => {
  test.setTimeout(600_000);
  const send = agentOf(app.baseURL, owner);
  const email = "lena.tanaka@northwindrobotics.example";
  const person = { email, first_name: "Lena", last_name: "Tanaka-Oberhauser", job_title: "Head of Revenue Operations" };
  await send("/v2/people", {
    ...person,
    pipeline_stage: "evaluating",
    owner: owner.owner_email,
    region: "North America",
  });
  await send("/v2/companies", {
    domain: "northwindrobotics.example",
    name: "Northwind Robotics",
    industry: "Manufacturing",
    country: "DE",
  });
  await send("/api/v1/capture", {
    email,
    type: "email_received",
    description: "Asked for the security review",
    external_id: "1",
  });
  await send("/v2/notes", {
    focus: email,
    content: "Wants a pilot with the whole team in the third quarter.",
    title: "Pilot",
  });
  const made = await send("/v2/lead-lists", { name: "Spring outreach" });
  const list = (made.list ?? made.lead_list) as { id: string };
  await send("/v2/leads", { list_id: list.id, email, name: "Lena Tanaka-Oberhauser" });
  const { trigger } = (await send("/v2/workspace/triggers", {
    name: "Sales channel",
    url: "http://127.0.0.1:9/hooks/sales",
    events: ["stage.advanced"],
  })) as { trigger: { id: string } };
  await converseWith(owner, email);
  await signIn(page, owner);
  const problems: Record<string, string> = {};
  const folders = [
    ...["home", "people", "companies", `leads/${list.id}`, `accounts/${email}`, `accounts/${email}?tab=facts`],
    ...["activity", "api-keys", `triggers/${trigger.id}`, "gtm-context", `accounts/${email}?tab=mail`, "integrations"],
  ];
  for (const folder of folders) {
    await page.setViewportSize({ width: 1920, height: 600 });
    await open(page, `/${owner.workspace_id}/${folder}`);
    // Laid out and not painted: boxes are measured, and painting takes longer.
    await page.evaluate(() => {
      document.documentElement.style.opacity = "0";
    });
    for (let width = 1920; width >= 360; width -= 20) {
      await page.setViewportSize({ width, height: 600 });
      for (const problem of await cutAt(page)) {
        const said = `${folder}: ${problem}`;
        problems[said] = `${problems[said]?.split(" ")[0] ?? width} to ${width}`;
      }
    }
  }
  expect(problems).toEqual({});
});

test("what is not there is said inside the frame, with a way on", async ({
  app,
  owner,
  page,
  newVisitor,
  allowErrors,
}) => {
  test.slow();
  await signIn(page, owner);
  allowErrors("404 (Not Found)");
  for (const place of ["no-such-page", "accounts/nobody@nowhere.example", "settings/nothing"]) {
    await page.goto(`/${owner.workspace_id}/${place}`);
    await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Workspace" })).toBeVisible();
    await axe(page);
  }
  await page.goto(`/${owner.workspace_id}/no-such-page`);
  await shoot(page, "not-found");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL(`${app.baseURL}/${owner.workspace_id}/home`);

  // Plan, jobs, audit log, sample data and the end of the workspace are for those who administer it.
  const grace = await newVisitor();
  await inviteGrace(page, grace, owner);
  for (const folder of ["plan", "backups", "jobs", "audit-log", "sample-data", "delete"]) {
    await grace.goto(`/${owner.workspace_id}/settings/${folder}`);
    await expect(grace.getByRole("heading", { name: "Not found" })).toBeVisible();
  }
  await grace.goto(`/${owner.workspace_id}/settings/workspace`);
  await expect(grace.getByRole("navigation", { name: "Settings" }).getByRole("link")).toHaveText([
    "Profile",
    "Members",
    "Workspace",
    "Stages",
    "ICP scoring",
    "Connected clients",
    "Export",
    "Checks",
  ]);
});

test("a toast leaves the button uncovered whose result it tells", async ({ owner, page }) => {
  await signIn(page, owner);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(`/${owner.workspace_id}/settings/workspace`);
    const save = page.getByRole("button", { name: "Save workspace" });
    await page.getByLabel("Workspace name").fill(`Acme ${size.width}`);
    await save.evaluate((button) => button.scrollIntoView({ block: "end" }));
    await save.click();
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toContainText("The workspace is saved.");
    const [action, said] = [await save.boundingBox(), await toast.boundingBox()];
    if (!action || !said) throw new Error("the button and the toast are on the page");
    const apart =
      said.y >= action.y + action.height || said.y + said.height <= action.y || said.x >= action.x + action.width;
    expect(apart, JSON.stringify({ action, said })).toBe(true);
  }
});

test("a record fits the narrowest phone: its actions are in one line, and its tab is in sight", async ({
  app,
  owner,
  page,
}) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.example", first_name: "Anna" });
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, owner);
  await open(page, `/${owner.workspace_id}/accounts/anna@acme.example?tab=agents`);
  const main = page.getByRole("main");
  const actions = ["As of now", "Log activity", "Add note", "More actions"];
  const boxes = await Promise.all(actions.map((name) => main.getByRole("button", { name }).boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size, JSON.stringify(boxes)).toBe(1);
  await expect(main.getByRole("tab", { name: "What agents see" })).toBeInViewport({ ratio: 1 });
  // Of a strip that goes on, the next tab is in sight in part.
  await main.getByRole("tab", { name: "Timeline" }).click();
  await expect(main.getByRole("tab", { name: "Timeline" })).toBeInViewport({ ratio: 1 });
  await expect(main.getByRole("tab", { name: "What agents see" })).toBeInViewport();
  await expect(main.getByRole("tab", { name: "What agents see" })).not.toBeInViewport({ ratio: 1 });
  await axe(page);
  await shoot(page, "narrow-record");
});
