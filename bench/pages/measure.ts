import type { CDPSession, Page } from "playwright";
import { scriptsOf } from "#lib/testing/page-scripts.ts";
import { openBrowser } from "../browser.ts";
import { say } from "../report.ts";
import { PASSWORD, type Stage, type Workspace } from "../stage.ts";

const GOAL_KB = 200;
/** Of an interaction, with a processor four times as slow. */
const GOAL_MS = 100;
const SLOWER = 4;
/** A task that takes longer keeps a press waiting. */
const LONG_MS = 50;
const PEOPLE = 10_000;
/** A frame at 60 a second, and some tolerance: a frame that took longer was seen to stutter. */
const FRAME_MS = 1_000 / 60;

/** What pages weigh, how soon they answer the reader, and how a long list scrolls. Returns missed goals. */
export async function measurePages(stage: Stage): Promise<string[]> {
  const workspace = await stage.createWorkspace("Pages");
  const anna = await addPeople(stage, workspace, PEOPLE);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ baseURL: stage.base, viewport: { width: 1440, height: 900 } });
    const missed = await weigh(page, stage.base, ["/sign-in", "/sign-up"]);
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(workspace.ownerEmail);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL((address) => address.pathname !== "/sign-in");
    const inside = names.map((name) => `/${workspace.id}/${name}`);
    missed.push(...(await weigh(page, stage.base, [...inside, `/${workspace.id}/accounts/${anna}`])));
    for (const name of ["home", "gtm-context", "people", `accounts/${anna}`]) await start(page, workspace.id, name);
    missed.push(...(await answer(page, `/${workspace.id}/people`)));
    missed.push(...(await scroll(page, `/${workspace.id}/people`)));
    return missed;
  } finally {
    await browser.close();
  }
}

const names = [
  ...["home", "people", "companies", "leads", "notes", "gtm-context", "activity", "approvals", "imports"],
  ...["integrations", "triggers", "api-keys", "connect", "settings", "settings/workspace", "settings/members"],
  ...["settings/stages", "settings/scoring", "settings/plan", "settings/data", "settings/audit-log"],
  ...[
    "settings/jobs",
    "settings/connected-clients",
    "settings/sample-data",
    "settings/delete",
    "integrations/deliveries",
  ],
];

type RecordingAnswer = { results: { entity_id: string | null; error?: string }[]; failed: number };

async function addPeople({ ours }: Stage, workspace: Workspace, count: number): Promise<string> {
  const { url, headers } = ours(workspace, "/v2/people/bulk");
  let first = "";
  for (let from = 0; from < count; from += 500) {
    const people = Array.from({ length: 500 }, (_, place) => ({
      email: `person${from + place}@company${(from + place) % 400}.com`,
      first_name: "Person",
      last_name: String(from + place),
      job_title: "Head of Sales",
    }));
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ people }),
    });
    if (!response.ok) throw new Error(`seeding failed: ${response.status} ${await response.text()}`);
    const { results, failed } = (await response.json()) as RecordingAnswer;
    if (failed > 0) throw new Error(`seeding failed: ${JSON.stringify(results.find(({ error }) => error))}`);
    first ||= results[0]?.entity_id ?? "";
  }
  return first;
}

/** The script of each page's markup; what loads while the browser is idle is not counted. */
async function weigh(page: Page, base: string, addresses: readonly string[]): Promise<string[]> {
  const missed: string[] = [];
  for (const address of addresses) {
    const answer = await page.request.get(address);
    if (!answer.ok()) throw new Error(`${address} answered ${answer.status()}`);
    const { kb, files } = await scriptsOf(await answer.text(), base);
    const name = address.replace(/^\/[0-9a-f-]{36}\//, "").replace(/[0-9a-f-]{36}$/, "…");
    say(`${name.padEnd(24)} ${kb.toFixed(1).padStart(6)} kB of script in ${files} files (goal ${GOAL_KB})`);
    if (kb > GOAL_KB) missed.push(`script of ${name}`);
  }
  return missed;
}

/** How long a page's tasks block its start: what a reader's first press may have to wait for. Has no goal, it depends on the machine. */
async function start(page: Page, workspaceId: string, name: string): Promise<void> {
  const throttle: CDPSession = await page.context().newCDPSession(page);
  await throttle.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const blocked: number[] = [];
  for (let load = 0; load < 3; load++) {
    await page.goto(`/${workspaceId}/${name}`);
    await page.waitForTimeout(4_000);
    const tasks = await page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(list.getEntries().map(({ duration }) => duration)),
          );
          observer.observe({ type: "longtask", buffered: true });
          setTimeout(() => resolve([]), 500);
        }),
    );
    blocked.push(tasks.reduce((sum, ms) => sum + Math.max(0, ms - LONG_MS), 0));
  }
  const middle = blocked.toSorted((one, other) => one - other)[1] ?? 0;
  const shown = name.replace(/[0-9a-f-]{36}$/, "…");
  say(`${shown.padEnd(24)} start blocked for ${middle.toFixed(0)} ms by long tasks at ${SLOWER} × slowdown`);
  await throttle.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await throttle.detach();
}

/** From a key or click to the next paint, as the browser counts it. */
async function answer(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  await page.getByRole("table", { name: "people" }).waitFor();
  await page.waitForFunction(() => performance.getEntriesByName("rapport.idle").length > 0, null, { timeout: 60_000 });
  await page.evaluate(() => {
    const seen: { name: string; ms: number }[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push({ name: entry.name, ms: entry.duration });
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  const throttle: CDPSession = await page.context().newCDPSession(page);
  await throttle.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const steps: [string, () => Promise<void>][] = [
    ["typing in search", () => page.getByRole("searchbox").first().pressSequentially("person 99", { delay: 120 })],
    ["opening a filter", () => page.getByRole("button", { name: "Filter", exact: true }).click()],
    ["closing it", () => page.keyboard.press("Escape")],
    [
      "opening the stages of a row",
      () =>
        page
          .getByRole("button", { name: /Identified\. Change$/ })
          .first()
          .click(),
    ],
    ["changing the stage", () => page.getByRole("menuitemradio", { name: "Aware" }).click()],
  ];
  const missed: string[] = [];
  for (const [what, act] of steps) {
    await page.evaluate(() => (window as unknown as { seen: unknown[] }).seen.splice(0));
    await act();
    await page.waitForTimeout(1_500);
    const worst = await page.evaluate(() =>
      Math.max(0, ...(window as unknown as { seen: { ms: number }[] }).seen.map(({ ms }) => ms)),
    );
    say(`${what.padEnd(28)} next paint after ${worst.toFixed(0)} ms at ${SLOWER} × slowdown (goal ${GOAL_MS})`);
    if (worst > GOAL_MS) missed.push(what);
  }
  await throttle.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await throttle.detach();
  return missed;
}

/** All rows are loaded first, then the list scrolls for four seconds. */
async function scroll(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  const table = page.getByRole("table", { name: "people" });
  await table.waitFor();
  const started = performance.now();
  while ((await table.getAttribute("aria-rowcount")) === "-1") {
    if (performance.now() - started > 180_000) throw new Error(`${PEOPLE} rows did not load within three minutes`);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(30);
  }
  const frames = await page.evaluate(async () => {
    window.scrollTo(0, 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const took: number[] = [];
    const begun = performance.now();
    let last = begun;
    while (last - begun < 4_000) {
      const now = await new Promise<number>(requestAnimationFrame);
      took.push(now - last);
      last = now;
      window.scrollBy(0, 60);
    }
    return took.slice(1);
  });
  const late = frames.filter((ms) => ms > FRAME_MS * 1.5).length;
  const rate = 1_000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length);
  say(
    `scrolling ${PEOPLE.toLocaleString("en")} loaded rows: ${rate.toFixed(1)} frames a second, ${late} of ${frames.length} late`,
  );
  return rate < 58 ? ["scrolling a long list"] : [];
}
