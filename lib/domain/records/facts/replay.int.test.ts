import fc from "fast-check";
import { expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { FactVersion } from "./contract.ts";
import * as facts from "./service.ts";

/**
 * What a person or an agent may do to a profile. `pick` chooses among all existing facts, `which` among three with an
 * id they chose.
 */
const step = fc.oneof(
  fc.record({
    do: fc.constant("save" as const),
    section: fc.constantFrom("ICP", "Market", "Notes"),
    content: fc.constantFrom("one", "two", "three"),
    mode: fc.constantFrom("replace", "append", undefined),
  }),
  fc.record({ do: fc.constant("supersede" as const), pick: fc.nat(), section: fc.constantFrom("ICP", "Pricing") }),
  fc.record({ do: fc.constant("add" as const), category: fc.constantFrom("ICP", "Objections") }),
  fc.record({ do: fc.constant("edit" as const), pick: fc.nat(), content: fc.constantFrom("one", "four") }),
  fc.record({ do: fc.constantFrom("retire" as const, "confirm" as const), pick: fc.nat() }),
  fc.record({ do: fc.constant("restore" as const), pick: fc.nat() }),
  fc.record({
    do: fc.constant("observe" as const),
    which: fc.nat(2),
    content: fc.constantFrom("one", "five", null),
    category: fc.constantFrom("ICP", "Objections"),
    method: fc.constantFrom("asserted", "observed", "inferred"),
    source: fc.constantFrom("crm", "web"),
    daysAgo: fc.constantFrom(null, 1, 100, 400),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(workspace: TestWorkspace, own: readonly string[], action: Step): Promise<void> {
  const { caller } = workspace;
  const all = (await facts.listFacts.execute(caller, { include_history: true, limit: 500 })).facts;
  const picked = "pick" in action ? all[action.pick % Math.max(1, all.length)] : undefined;
  if ("pick" in action && !picked) return;
  const { id = "", content = "" } = picked ?? {};
  switch (action.do) {
    case "save": {
      const { section, mode } = action;
      await facts.saveFact.execute(caller, { section, content: action.content, ...(mode ? { mode } : {}) });
      break;
    }
    case "supersede":
      await facts.saveFact.execute(caller, { section: action.section, content: "new", supersedes: id });
      break;
    case "add":
      await facts.addEntry.execute(caller, { category: action.category, content: "added" });
      break;
    case "edit":
      await facts.editEntry.execute(caller, { id, content: action.content, seen: content });
      break;
    case "retire":
      await facts.retireEntry.execute(caller, { id });
      break;
    case "confirm":
      await facts.confirmEntry.execute(caller, { id });
      break;
    case "restore":
      await facts.restoreEntry.execute(caller, { id, content });
      break;
    case "observe": {
      const { which, category, method, source, daysAgo } = action;
      const value = action.content === null ? null : { category, content: action.content };
      const when = daysAgo === null ? {} : { observed_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() };
      const observation = { kind: "state", property: `note.${own[which]}`, value, method, source, ...when };
      await recordObservations.execute(caller, { focus: "workspace", observations: [observation] });
    }
  }
}

/** For example, superseding a fact that is already history is refused, and nothing changes. */
const isRefusal = (error: unknown): boolean => isFault(error) && error.status < 500;

/** The two readings happen a moment apart, and confidence drops over time. */
const settled = ({ confidence, ...fact }: FactVersion) => ({ ...fact, confidence: expect.closeTo(confidence, 1) });

test("what the claims say is what the evidence says, after any sequence of writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      const workspace = await createTestWorkspace();
      const own = [newId(), newId(), newId()];
      for (const action of steps) {
        await take(workspace, own, action).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      }
      const list = async (input: object) =>
        (await facts.listFacts.execute(workspace.caller, { limit: 500, ...input })).facts;
      const [current, all] = [await list({}), await list({ include_history: true })];
      const derived = all.filter((fact) => fact.superseded_at === undefined);
      expect(current).toEqual(derived.map(settled));
      expect(current).toEqual((await list({ known_at: new Date().toISOString() })).map(settled));
      for (const { superseded_by } of all) {
        if (superseded_by) expect(all.map(({ id }) => id)).toContain(superseded_by);
      }
    }),
    { numRuns: 60 },
  );
});
