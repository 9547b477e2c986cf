/** How many statements recording takes, and how often it waits for the database: whatever is sent together is one wait. */
import pg from "pg";
import { expect, test, vi } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { upsertPeople } from "#lib/domain/crm/people/service.ts";
import { saveNote } from "#lib/domain/knowledge/notes/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

/** What every transaction sends besides. */
const FRAME = /^(BEGIN|COMMIT|transaction_prove)/;

/** The statements of one connection, and the waits among them. */
async function sentBy(work: () => Promise<unknown>): Promise<{ statements: string[]; waits: number }> {
  const statements: string[] = [];
  let [waits, open] = [0, 0];
  const query = pg.Client.prototype.query as (...given: unknown[]) => Promise<unknown>;
  function watch(this: pg.Client, ...given: unknown[]): Promise<unknown> {
    const [asked] = given as [string | { name?: string; text: string }];
    const called = typeof asked === "string" ? asked : asked.name || asked.text;
    if (!FRAME.test(called)) statements.push(called);
    if (open++ === 0) waits++;
    const answer = query.apply(this, given);
    const settle = () => open--;
    answer.then(settle, settle);
    return answer;
  }
  const watched = vi.spyOn(pg.Client.prototype, "query").mockImplementation(watch as never);
  try {
    await work();
  } finally {
    watched.mockRestore();
  }
  return { statements, waits };
}

const observe = (caller: Caller, focus: string, value: string) =>
  recordObservations.execute(caller, { focus, observations: [{ kind: "state", property: "job_title", value }] });

test.each<[string, number, number, (caller: Caller) => Promise<unknown>]>([
  [
    "a capture of a known contact that moves a stage",
    8,
    3,
    (caller) => capture.execute(caller, { email: "anna@acme.com", type: "website_visit" }),
  ],
  [
    "a capture of someone new",
    15,
    3,
    (caller) => capture.execute(caller, { email: "ben@globex.io", type: "website_visit" }),
  ],
  ["an observation of one state", 10, 3, (caller) => observe(caller, "anna@acme.com", "CTO")],
  [
    "a note on a known contact",
    16,
    4,
    (caller) => saveNote.execute(caller, { focus: "anna@acme.com", content: "Wants single sign-on." }),
  ],
  [
    "five new people at a new company",
    15,
    3,
    (caller) =>
      upsertPeople.execute(caller, {
        people: [1, 2, 3, 4, 5].map((n) => ({ email: `p${n}@initech.dev`, first_name: "P" })),
      }),
  ],
])("%s takes %i statements in %i waits", async (_, statements, waits, work) => {
  const { caller } = await createTestWorkspace({ listening: true });
  await capture.execute(caller, { email: "anna@acme.com", type: "email_sent" });
  await observe(caller, "anna@acme.com", "CEO");
  const sent = await sentBy(() => work(caller));
  expect(sent.statements.length, sent.statements.join("\n")).toBeLessThanOrEqual(statements);
  expect(sent.waits).toBeLessThanOrEqual(waits);
});
