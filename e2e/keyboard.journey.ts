/** Each main page by keyboard alone: Tab reaches everything and shows where it is, Enter opens, arrows choose, Escape closes. */
import type { App } from "./app.ts";
import { fillWorkspace } from "./filled.ts";
import { agentOf, expect, type Owner, type Page, signIn, test } from "./fixture.ts";

/** Fills the workspace. Returns the pages to walk. */
async function fill(app: App, owner: Owner): Promise<string[]> {
  const { account, leads, trigger } = await fillWorkspace(app, owner);
  return [
    ...["home", "people", "people?layout=board", "companies", "leads", leads, "notes", "gtm-context"],
    ...["activity", account, `${account}?tab=facts`, `${account}?tab=mail`, `${account}?tab=agents`],
    ...["integrations", "triggers", trigger, "api-keys", "connect", "imports"],
    ...["settings", "settings/members", "settings/stages"],
    ...["settings/scoring", "approvals"],
  ];
}

/** What has the focus: its name, whether it was there before, and what is wrong with how it is seen. Null: the walk is over. */
const focusHere = (page: Page): Promise<{ name: string; again: boolean; problem: string | null } | null> =>
  page.evaluate(() => {
    const { seen = new Set<Element>() } = window as { seen?: Set<Element> };
    Object.assign(window, { seen });
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const again = seen.has(element);
    seen.add(element);
    const name = `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40)}`;
    const rings = (part: Element | null, pseudo?: string): boolean => {
      if (!part) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part, pseudo);
      return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
    };
    const around = [element, element.parentElement, element.parentElement?.parentElement ?? null];
    const ringed = around.some((part) => rings(part)) || rings(element, "::after") || rings(element.nextElementSibling);
    const { left, right, top, bottom } = (
      element instanceof HTMLInputElement && element.clientWidth < 2 ? (element.labels?.[0] ?? element) : element
    ).getBoundingClientRect();
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.2, 0.8].map((y) => [x, y] as const));
    const inSight = points.some(([x, y]) => {
      const hit = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
    return { name, again, problem: ringed ? (inSight ? null : "is out of sight") : "shows no focus" };
  });

/** The controls in sight that Tab should have reached and did not. */
const missed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { seen = new Set<Element>() } = window as { seen?: Set<Element> };
    const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll<HTMLElement>(controls)]
      .filter((element) => {
        if (seen.has(element) || element.tabIndex < 0 || element.matches(":disabled")) return false;
        if (element.closest("[inert], [aria-hidden=true]") || !element.checkVisibility({ visibilityProperty: true }))
          return false;
        // Of radio buttons Tab reaches one, arrows the others.
        if (element instanceof HTMLInputElement && element.type === "radio")
          return ![...seen].some((other) => other instanceof HTMLInputElement && other.name === element.name);
        return true;
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });

const MOST_STOPS = 400;

/** Goes through a page with Tab. */
async function walk(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const here = await focusHere(page);
    if (here === null || here.again) return [...problems, ...(await missed(page)).map((one) => `Tab misses ${one}`)];
    if (here.problem) problems.push(`${here.name} ${here.problem}`);
  }
  return [...problems, `Tab goes on after ${MOST_STOPS} stops`];
}

const layer = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

type Opener = { place: number; name: string; pops: string };

/** What opens a layer, each kind once: those of further rows are the same. Each is marked with its place. */
const openers = (page: Page): Promise<Opener[]> =>
  page.evaluate(() => {
    const kinds = new Map<string, Opener>();
    for (const element of document.querySelectorAll<HTMLElement>("main [aria-haspopup]")) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(":disabled")) continue;
      const name = element.getAttribute("aria-label") ?? element.innerText.trim();
      const row = element.closest("[data-row], tr, li, article");
      const kind = row ? `${row.tagName} ${element.className}` : `${name} ${element.id}`;
      if (kinds.has(kind)) continue;
      const place = kinds.size;
      element.dataset.opener = String(place);
      kinds.set(kind, { place, name, pops: element.getAttribute("aria-haspopup") ?? "" });
    }
    return [...kinds.values()];
  });

const nameInFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    return element.getAttribute("aria-label") ?? element.innerText.trim();
  });

/** Opens what opens by Enter, goes through a menu with the arrows, and closes it with Escape: the focus is where it was. */
async function open(page: Page, { place, name, pops }: Opener): Promise<void> {
  await page.locator(`[data-opener="${place}"]`).focus();
  await page.keyboard.press("Enter");
  const inside = page.locator(`:is(${layer}):focus, :is(${layer}) :focus`);
  await expect(inside, `${name}: the focus is inside`).toHaveCount(1);
  if (pops === "menu") {
    const entry = page.locator("[role^=menuitem]:focus");
    await expect(page.locator("[role^=menuitem]").first()).toBeVisible();
    await page.keyboard.press("Home");
    await expect(entry, `${name}: Home`).toHaveCount(1);
    const first = await entry.innerText();
    const several = page.locator("[role^=menuitem]:not([data-disabled])");
    if ((await several.count()) > 1) {
      await page.keyboard.press("End");
      await expect(entry, `${name}: End`).not.toHaveText(first);
      await page.keyboard.press("Home");
      await expect(entry).toHaveText(first);
      await page.keyboard.press("ArrowDown");
      await expect(entry, `${name}: ArrowDown`).not.toHaveText(first);
    }
  }
  await page.keyboard.press("Escape");
  await expect(page.locator(layer), `${name} closes`).toHaveCount(0);
  await expect.poll(() => nameInFocus(page), `${name} has the focus again`).toBe(name);
}

for (const half of [0, 1])
  test(`Tab reaches everything on a page and shows where it is, and what opens closes again, half ${half + 1}`, async ({
    page,
    app,
    owner,
  }) => {
    test.setTimeout(600_000);
    const places = await fill(app, owner);
    await signIn(page, owner);
    const problems: string[] = [];
    for (const [index, place] of places.entries()) {
      if (index % 2 !== half) continue;
      await page.goto(`/${owner.workspace_id}/${place}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      problems.push(...(await walk(page)).map((problem) => `${place}: ${problem}`));
      for (const opener of await openers(page))
        await open(page, opener).catch(async (error: Error) => {
          problems.push(`${place}: ${opener.name}: ${error.message.split("\n")[0]}`);
          await page.reload();
          await openers(page);
        });
    }
    expect(problems).toEqual([]);
  });

test("the first stop leads past the sidebar, keys go to pages, and the palette is left as it was entered", async ({
  page,
  app,
  owner,
}) => {
  await fill(app, owner);
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toHaveCount(1);
  const before = page.locator("main :focus");
  const name = await before.innerText();

  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("combobox", { name: "Command palette" });
  await expect(palette).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  expect(await before.innerText()).toBe(name);

  await page.keyboard.press("ControlOrMeta+k");
  await palette.fill("lena");
  const chosen = page.locator("[role=option][aria-selected=true]");
  await expect(chosen).toContainText("Lena Tanaka");
  await page.keyboard.press("ArrowDown");
  await expect(chosen).not.toHaveText(/^Lena Tanaka/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Lena Tanaka", level: 1 })).toBeVisible();

  for (const [keys, heading] of [
    ["g h", "Home"],
    ["g c", "Companies"],
    ["g p", "People"],
  ] as const) {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  }
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Home is worked through as an inbox: j, k, t, s, e, and the way back", async ({ page, app, owner }) => {
  const send = agentOf(app.baseURL, owner);
  const state = (value: string, source: string) => ({ kind: "state", property: "job_title", value, source });
  for (const name of ["anna", "bo", "cara"])
    await send("/v2/observations", {
      focus: `${name}@acme.example`,
      observations: [
        { ...state("CRO", "crm"), method: "asserted" },
        { ...state("VP Sales", "web"), method: "inferred" },
      ],
    });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  const rows = page.getByRole("list", { name: "Needs attention" }).locator("[data-inbox]");
  await expect(rows).toHaveCount(3);
  const names = await rows.locator("[data-row-link]").allInnerTexts();
  const focused = page.locator("[data-row-link]:focus");
  await page.keyboard.press("j");
  await expect(focused).toHaveText(names[0] as string);
  await page.keyboard.press("j");
  await expect(focused).toHaveText(names[1] as string);
  await page.keyboard.press("k");
  await expect(focused).toHaveText(names[0] as string);

  await page.keyboard.press("t");
  const task = page.getByRole("dialog");
  await expect(task).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(task).toHaveCount(0);
  await expect(focused).toHaveText(names[0] as string);

  await page.keyboard.press("s");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(rows).toHaveCount(1);

  // The last change is undone from the palette.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("undo");
  await expect(page.locator("[role=option][aria-selected=true]")).toContainText("Undo the last change");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);

  // A dispute is settled and opened again by keyboard alone.
  const before = await rows.first().innerText();
  await rows.first().getByRole("button", { name: "Keep CRO" }).focus();
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("undo");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  expect(await rows.first().innerText()).toBe(before);
});
