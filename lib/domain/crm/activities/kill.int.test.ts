import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createInstallation,
  type Installation,
  KILLS,
  moments,
  PATIENCE_MS,
} from "#lib/testing/installation.fixture.ts";

const CAPTURES = 200 * (KILLS + 1);
const PEOPLE = 20;
const AT_ONCE = 16;

let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

test(
  "of captures while app and database are killed, each that was answered is there exactly once",
  async () => {
    const { key } = await installation.createWorkspace();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answered = new Map<string, { person: number; activity: string }>();
    let next = 0;

    /** Sends one again and again until it is answered, as a careful caller would. */
    const capture = async (index: number): Promise<void> => {
      const person = index % PEOPLE;
      const type = ["email_sent", "website_visit", "email_received", "meeting_held"][index % 4];
      const body = JSON.stringify({ email: `p${person}@acme.com`, type, source: "test", external_id: `x${index}` });
      for (;;) {
        const answer = await fetch(`${installation.url()}/api/v1/capture`, { method: "POST", headers, body }).then(
          async (response) => (response.ok ? ((await response.json()) as { activity_id: string }) : null),
          () => null,
        );
        if (answer) return void answered.set(`x${index}`, { person, activity: answer.activity_id });
        await sleep(30);
      }
    };
    const sender = async () => {
      while (next < CAPTURES) await capture(next++);
    };
    const sending = Promise.all(Array.from({ length: AT_ONCE }, sender));
    await installation.killAt(moments(), () => answered.size / CAPTURES);
    await sending;

    for (let person = 0; person < PEOPLE; person++) {
      const address = `${installation.url()}/v2/accounts/p${person}@acme.com`;
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await fetch(`${address}/timeline?limit=50${cursor}`, { headers });
        const { events, next_cursor } = (await page.json()) as { events: { id: string }[]; next_cursor: string | null };
        found.push(...events.map(({ id }) => id));
        if (next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
      }
      const expected = [...answered.values()].filter((each) => each.person === person).map(({ activity }) => activity);
      expect(found.sort()).toEqual(expected.sort());
      const account = (await (await fetch(address, { headers })).json()) as { pipeline_stage: string };
      expect(account.pipeline_stage).toBe(["identified", "aware", "interested", "evaluating"][person % 4]);
    }
  },
  PATIENCE_MS,
);
