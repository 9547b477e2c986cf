/** Work over everyone: a rebuild, a change of all stages and its undo, an import and its undo. */
import { setTimeout as sleep } from "node:timers/promises";
import { generateContacts } from "../generate.ts";
import { say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

/** `rebuild`: people a second, which is 250,000 in five minutes. `undone`: an import's undo as a share of its own speed. */
const GOALS = { rebuild: 833, bulk: 1_000, undone: 1 } as const;

const ROWS = 20_000;

/** With so many people. Returns which goals were missed. */
export async function measureMany(stage: Stage, people: number): Promise<string[]> {
  const workspace = await stage.createWorkspace("Many");
  const filling = { people, companies: people / 5, observationsPerPerson: 5, workspaces: 0 };
  await generateContacts({ url: stage.adminUrl, workspaceId: workspace.id, ...filling });
  say(`\nWork over ${people.toLocaleString("en")} people`);
  const missed: string[] = [];
  const judge = (what: string, rate: number, goal: number, unit: string) => {
    const isGood = rate >= goal;
    say(
      `  ${isGood ? "ok  " : "MISS"} ${what}: ${Number(rate.toFixed(2)).toLocaleString("en")} ${unit} (goal ${goal.toLocaleString("en")})`,
    );
    if (!isGood) missed.push(`many: ${what}`);
  };

  const seconds = await timed(async () => {
    const { different } = JSON.parse(await stage.command("rebuild", "--workspace", workspace.id, "--json"));
    if (different > 0) missed.push(`many: ${different} differences`);
    say(`  ${different} differences of a rebuild`);
  });
  judge("rebuild", people / seconds, GOALS.rebuild, "people/s");

  const work = workOf(stage, workspace);
  const change = { what: "people", filters: {}, action: "set_stage", pipeline_stage: "evaluating" };
  const { id } = (await work.post<{ bulk_action: Work }>("/v2/bulk-actions", change)).bulk_action;
  const bulk = async (state: string) =>
    (await work.until<{ bulk_action: Work }>(`/v2/bulk-actions/${id}`, "bulk_action", state)).bulk_action;
  judge("bulk change of stages", people / (await timed(() => bulk("done"))), GOALS.bulk, "people/s");
  judge(
    "its undo",
    people /
      (await timed(async () => {
        await work.post(`/v2/bulk-actions/${id}/undo`, {});
        await bulk("undone");
      })),
    GOALS.bulk,
    "people/s",
  );

  const made = (await work.post<{ import: Work }>("/v2/imports", { content: file() })).import;
  const at = `/v2/imports/${made.id}`;
  await work.until(at, "import", "ready");
  const through = async (step: string, state: string) => {
    await work.post(`${at}/${step}`, {});
    await work.until(at, "import", state);
  };
  const run = await timed(() => through("run", "done"));
  const undo = await timed(() => through("undo", "undone"));
  say(`  import ${Math.round(ROWS / run)} rows/s, its undo ${Math.round(ROWS / undo)} rows/s`);
  judge("undo of an import beside it", run / undo, GOALS.undone, "×");
  return missed;
}

type Work = { id: string; state: string };

/** People the workspace does not know, 5 of each company. */
const file = (): string =>
  ["Email,First Name,Last Name,Title,Company"]
    .concat(
      Array.from(
        { length: ROWS },
        (_, n) =>
          `new${n}@fresh${n % (ROWS / 5)}.com,First${n % 997},Last${n % 1009},Head of ${n % 31},Fresh ${n % (ROWS / 5)}`,
      ),
    )
    .join("\n");

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** Calls of the API in a workspace. */
function workOf({ base }: Stage, { key }: Workspace) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const answer = await fetch(base + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  return {
    post: <T>(path: string, body: object) => ask<T>(path, { method: "POST", body: JSON.stringify(body) }),
    async until<T>(path: string, field: string, state: string): Promise<T> {
      for (;;) {
        const answer = await ask<T>(path, {});
        const now = (answer as Record<string, Work>)[field]?.state;
        if (now === state) return answer;
        if (now === "failed") throw new Error(`${path} failed`);
        await sleep(100);
      }
    },
  };
}
