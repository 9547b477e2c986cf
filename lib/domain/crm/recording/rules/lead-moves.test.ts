import { describe, expect, test } from "vitest";
import { type LeadNews, type LeadRow, moveLeads, repliesOf } from "./lead-moves.ts";

const day = (n: number): Date => new Date(Date.UTC(2026, 5, n));
const fresh: LeadRow = {
  ...{ id: "lead", listId: "list", entityId: "anna", hidden: false, replyOutcome: null, givenScore: null, fields: {} },
  ...{ status: "pending", sentAt: null, repliedAt: null, bouncedAt: null },
};
const news = (says: LeadNews["says"], n: number, entityId = "anna"): LeadNews => ({
  ...{ entityId, observationId: `o${n}`, says, at: day(n) },
});

describe("a lead", () => {
  test.each<[string, Partial<LeadRow>, LeadNews[], Partial<LeadRow> | null]>([
    ["is sent to", {}, [news("sent", 1)], { status: "sent", sentAt: day(1) }],
    ["is sent to again", { status: "sent", sentAt: day(1) }, [news("sent", 2)], { status: "sent", sentAt: day(2) }],
    ["stays where an older send is told", { status: "sent", sentAt: day(2) }, [news("sent", 1)], null],
    ["bounces again", { status: "bounced", bouncedAt: day(1) }, [news("bounced", 2)], { bouncedAt: day(2) }],
    ["stays where the same bounce is told", { status: "bounced", bouncedAt: day(2) }, [news("bounced", 2)], null],
    ["replied earlier", { status: "replied", repliedAt: day(3) }, [news("replied", 2)], { repliedAt: day(2) }],
    ["stays where a later reply is told", { status: "replied", repliedAt: day(3) }, [news("replied", 4)], null],
    ["takes one after the other", {}, [news("sent", 1), news("replied", 2)], { status: "replied", sentAt: day(1) }],
    [
      "follows its moments again after a caller set it against them",
      { status: "bounced", sentAt: day(9), bouncedAt: day(5) },
      [news("bounced", 3)],
      { status: "sent", sentAt: day(9), bouncedAt: day(5) },
    ],
    ["is moved by nothing about others", {}, [news("sent", 1, "ben")], null],
  ])("%s", (_, before, told, expected) => {
    const lead = { ...fresh, ...before };
    const { moved } = moveLeads([lead], told);
    if (expected === null) expect(moved).toEqual([]);
    else expect(moved).toMatchObject([{ id: "lead", listId: "list", ...expected }]);
  });
});

describe("the event of a reply", () => {
  const replied = { type: "lead.replied", entityId: "anna", observationId: "o2" };
  const data = { lead_id: "lead", list_id: "list", previous: "sent", value: "replied", caused_by: "o2" };

  test("says what the lead was before, once", () => {
    const { events } = moveLeads([fresh], [news("sent", 1), news("replied", 2), news("replied", 3)]);
    expect(events).toEqual([{ ...replied, data }]);
  });

  test("comes for each list, but not for one that is hidden", () => {
    const leads = [fresh, { ...fresh, id: "other" }, { ...fresh, id: "hidden", hidden: true }];
    const { moved, events } = moveLeads(leads, [news("replied", 2)]);
    expect(moved.map(({ id }) => id)).toEqual(["lead", "other", "hidden"]);
    expect(events.map(({ data }) => (data as { lead_id: string }).lead_id)).toEqual(["lead", "other"]);
  });

  test("comes for nothing else", () => {
    expect(moveLeads([fresh], [news("sent", 1), news("bounced", 2)]).events).toEqual([]);
    expect(repliesOf(fresh, { ...fresh, status: "sent" }, null)).toEqual([]);
    expect(repliesOf(fresh, { ...fresh, status: "replied" }, null)).toMatchObject([
      { type: "lead.replied", observationId: null, data: { previous: "pending", caused_by: null } },
    ]);
  });
});
