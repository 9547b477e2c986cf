import fc from "fast-check";
import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { rebuildWorkspace } from "./service.ts";

const { call } = useServer();

const people = [
  "anna@acme.com",
  "bob@acme.com",
  "carla@gmail.com",
  "linkedin.com/in/dora",
  "acme.com",
  "workspace",
] as const;
const focus = fc.constantFrom(...people);
const time = fc.option(fc.date({ min: new Date("2025-01-01"), max: new Date("2026-06-01"), noInvalidDate: true }), {
  nil: undefined,
});

const observe = fc.record({
  do: fc.constant("observe" as const),
  focus,
  kind: fc.constantFrom("state", "state", "state", "event"),
  property: fc.constantFrom(
    "job_title",
    "first_name",
    "name",
    "company",
    "region",
    "pipeline_stage",
    "icp_score",
    "page.visited",
    "interaction.website_visit",
  ),
  value: fc.constantFrom<unknown>("a", "b", "evaluating", 70, true, null, ["x"], { deep: 1 }),
  method: fc.constantFrom("asserted", "observed", "inferred"),
  source: fc.constantFrom("api", "crm"),
  observed_at: time,
});
const change = fc.record({
  do: fc.constant("change" as const),
  email: fc.constantFrom(...people.slice(0, 3)),
  job_title: fc.constantFrom("a", "c", null),
  status: fc.constantFrom("active", "archived"),
});
const signal = fc.record({
  type: fc.constantFrom("email_sent", "email_opened", "email_received", "meeting_held", "custom"),
  email: fc.constantFrom(...people.slice(0, 3), "new@acme.com", "new@elsewhere.eu"),
  source: fc.constantFrom("api", "crm"),
  external_id: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
  occurred_at: time,
  metadata: fc.constantFrom({}, { event: "deal_won" }),
});
const capture = fc.record({
  do: fc.constant("capture" as const),
  signals: fc.array(signal, { minLength: 1, maxLength: 4 }),
});
const merge = fc.record({ do: fc.constant("merge" as const), keep: focus, drop: focus });
const unmerge = fc.record({ do: fc.constant("unmerge" as const), which: fc.nat(5) });
const fact = fc.record({
  do: fc.constant("fact" as const),
  section: fc.constantFrom("ICP", "Notes"),
  content: fc.constantFrom("x", "y", "z"),
});

test("a company's latest activity goes back with a merge that is undone, and with a person who is merged away from it", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const early = "2025-01-01T00:00:00.000Z";
  await call("/api/v1/capture", { key, body: { type: "call", email: "bob@acme.com", occurred_at: early } });
  await call("/api/v1/capture", { key, body: { type: "call", email: "carla@gmail.com" } });
  await call("/api/v1/capture", { key, body: { type: "call", email: "dora@globex.com" } });
  const latest = async (domain: string) => {
    const { body } = await call(`/v2/companies/${domain}`, { key });
    return (body.company as { last_activity_at: string }).last_activity_at;
  };
  const merged = await call("/v2/accounts/merge", { key, body: { keep: "bob@acme.com", drop: "carla@gmail.com" } });
  expect(await latest("acme.com")).not.toBe(early);
  await call("/v2/accounts/unmerge", { key, body: { merge_id: merged.body.merge_id } });
  expect(await latest("acme.com")).toBe(early);
  await call("/v2/accounts/merge", { key, body: { keep: "bob@acme.com", drop: "dora@globex.com" } });
  const { differences } = await rebuildWorkspace(workspace.caller);
  expect(differences).toEqual([]);
});

test("after any history, deriving every projection again gives the same bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(observe, capture, change, merge, unmerge, fact), { minLength: 3, maxLength: 25 }),
      async (steps) => {
        const workspace = await createTestWorkspace();
        const key = await workspace.key();
        const merges: string[] = [];
        for (const step of steps) {
          if (step.do === "observe") {
            const { do: _, focus: about, observed_at, ...observation } = step;
            const at = observed_at ? { observed_at: observed_at.toISOString() } : {};
            await call("/v2/observations", { key, body: { focus: about, observations: [{ ...observation, ...at }] } });
          } else if (step.do === "capture") {
            const signals = step.signals.map(({ occurred_at, ...rest }) => ({
              ...rest,
              ...(occurred_at ? { occurred_at: occurred_at.toISOString() } : {}),
            }));
            const [first] = signals;
            if (signals.length === 1) await call("/api/v1/capture", { key, body: first });
            else await call("/api/v1/capture/batch", { key, body: signals });
          } else if (step.do === "change") {
            const { do: _, ...body } = step;
            await call("/v2/people", { key, body });
          } else if (step.do === "merge") {
            const answer = await call("/v2/accounts/merge", { key, body: { keep: step.keep, drop: step.drop } });
            if (answer.status === 200) merges.push(answer.body.merge_id as string);
          } else if (step.do === "unmerge") {
            const merge_id = merges[step.which];
            if (merge_id) await call("/v2/accounts/unmerge", { key, body: { merge_id } });
          } else {
            await call("/v2/workspace/facts", { key, body: { section: step.section, content: step.content } });
          }
        }
        const { differences } = await rebuildWorkspace(workspace.caller);
        expect(differences).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});

test("a projection that was tampered with is reported and put right", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  await call("/v2/people", { key, body: { email: "anna@acme.com", job_title: "CTO" } });
  await inspect("UPDATE people SET job_title = 'CEO' WHERE workspace_id = $1", [workspace.id]);
  await inspect("DELETE FROM claims WHERE workspace_id = $1 AND property = 'job_title'", [workspace.id]);
  expect((await rebuildWorkspace(workspace.caller)).differences.map(({ projection }) => projection).sort()).toEqual([
    "claim job_title",
    "person",
  ]);
  expect((await rebuildWorkspace(workspace.caller)).different).toBe(0);
});
