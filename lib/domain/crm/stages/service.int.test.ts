import { expect, test } from "vitest";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { patchPerson } from "#lib/domain/crm/people/service.ts";
import { standardRules } from "#lib/domain/crm/recording/service.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { getStageRules, previewStageRules, resetStageRules, saveStageRules } from "./service.ts";

const callsInterest = { rules: [{ type: "call" as const, stage: "interested" as const }], max_age_days: 30 };

test("a workspace follows the standard table until it has its own, and again after a reset; both are in the audit log", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const standard = { rules: standardRules.rules, max_age_days: 90 };
  expect(await getStageRules.execute(caller, {})).toEqual({
    ...standard,
    customised: false,
    updated_at: null,
    standard,
  });
  const saved = await saveStageRules.execute(caller, callsInterest);
  expect(saved).toMatchObject({ ...callsInterest, customised: true, updated_at: expect.any(String), moved: 0 });
  const after = async (who: typeof caller, type: string) =>
    (await capture.execute(who, { email: `${type}@acme.com`, type })).stage_after;
  expect([await after(caller, "call"), await after(caller, "meeting_held")]).toEqual(["interested", "identified"]);
  expect(await after(other.caller, "call")).toBe("identified");
  expect(await resetStageRules.execute(caller, {})).toMatchObject({ ...standard, customised: false });
  expect((await capture.execute(caller, { email: "call@acme.com", type: "meeting_held" })).stage_after).toBe(
    "evaluating",
  );
  const { entries } = await listAudit.execute(caller, {});
  expect(entries.map(({ action }) => action)).toEqual(["stage_rules.reset", "stage_rules.changed"]);
});

test("the preview names the people other rules would move, and saving moves exactly those, with their cause", async () => {
  const { caller, id } = await createTestWorkspace();
  const log = (email: string, type: string, more = {}) => capture.execute(caller, { email, type, ...more });
  const called = await log("called@acme.com", "call");
  await log("long-ago@acme.com", "call", { occurred_at: new Date(Date.now() - 31 * DAY_MS).toISOString() });
  await log("higher@acme.com", "meeting_held");
  await log("higher@acme.com", "call");
  await log("by-hand@acme.com", "call");
  await patchPerson.execute(caller, { focus: "by-hand@acme.com", pipeline_stage: "aware" });
  await log("gone@acme.com", "call");
  await patchPerson.execute(caller, { focus: "gone@acme.com", status: "archived" });
  await log("merged@acme.com", "call");
  await log("kept@acme.com", "note");
  await mergeAccounts.execute(caller, { keep: "kept@acme.com", drop: "merged@acme.com" });

  const preview = await previewStageRules.execute(caller, callsInterest);
  expect(preview).toMatchObject({ would_move: 2, by_stage: [{ stage: "interested", people: 2 }], sampled: false });
  expect(preview.moves).toEqual([{ from: "identified", to: "interested", people: 2 }]);
  expect(preview.people).toContainEqual({
    entity_id: called.contact_id,
    name: "called@acme.com",
    from: "identified",
    to: "interested",
    because: { activity_id: called.activity_id, type: "call", occurred_at: expect.any(String) },
  });
  expect(await saveStageRules.execute(caller, { ...callsInterest, move_people: true })).toMatchObject({
    moved: 2,
    remaining: 0,
  });
  expect((await previewStageRules.execute(caller, callsInterest)).would_move).toBe(0);
  const [moved] = await inspect(
    "SELECT value, source, caused_by FROM observations WHERE workspace_id = $1 AND entity_id = $2 AND property = 'pipeline_stage'",
    [id, called.contact_id],
  );
  expect(moved).toEqual({ value: "interested", source: "stage_rules", caused_by: called.activity_id });
  expect(await getTimeline.execute(caller, { focus: "called@acme.com" })).toMatchObject({
    events: [{ stage_change: { from: "identified", to: "interested", caused_by: called.activity_id } }],
  });
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
});

test.each([
  [{ rules: [{ type: "call", stage: "identified" }], max_age_days: 90 }, "rules.0.stage"],
  [{ rules: [{ type: "dream", stage: "aware" }], max_age_days: 90 }, "rules.0.type"],
  [{ rules: [{ type: "call", event: "x", stage: "aware" }], max_age_days: 90 }, "rules.0"],
  [
    {
      rules: [
        { type: "call", stage: "aware" },
        { type: "call", stage: "client" },
      ],
      max_age_days: 90,
    },
    "rules",
  ],
  [{ rules: [], max_age_days: 0 }, "max_age_days"],
])("%j is refused at %s", async (table, parameter) => {
  const { caller } = await createTestWorkspace();
  await expect(saveStageRules.execute(caller, table)).rejects.toMatchObject({
    code: "invalid_parameter",
    extras: { parameter },
  });
});
