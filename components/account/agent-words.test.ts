import { expect, test } from "vitest";
import { Context, type ContextPart, getContext } from "#lib/domain/knowledge/context/contract.ts";
import { wordsOfContext } from "./agent-words.ts";

const base = Context.parse(getContext.example.output);
const when = "2026-06-03T14:00:00.000Z";
const id = "0190a6e0-0000-7000-8000-000000000071";
const claim = { value: "CTO", confidence: 0.95, freshness: "fresh", last_observed_at: when } as const;
const known = { ...claim, epistemic_class: "observed" as const, observation_ids: [id] };
const mail = { when, age_days: 2, type: "email_received", from: "Anna Smith", thread_id: id } as const;
const icp = { score: 68, tier: "tier_3", fit: false } as const;

const cases: [ContextPart, Partial<Context>, string[]][] = [
  ["ICP fit", { icp: { ...icp, reason: "Size fits" } }, ["68 of 100, Tier 3. Size fits"]],
  ["ICP fit", { icp: { ...icp, tier: "not_icp" } }, ["68 of 100, Not ICP"]],
  ["Who knows them", { known_by: "Ada (strong, today)" }, ["Ada (strong, today)"]],
  ["Facts", { claims: [{ ...known, property: "job_title" }] }, ["• Title: CTO (95 %, fresh, 2026-06-03)"]],
  [
    "Facts",
    { claims: [{ ...known, property: "pipeline_stage", value: "interested" }] },
    ["• Stage: Interested (95 %, fresh, 2026-06-03)"],
  ],
  [
    "Facts",
    {
      claims: [
        { ...known, property: "tools", value: ["HubSpot", "Gong"] },
        { ...known, property: "uses_sso", value: false },
      ],
    },
    ["• Tools: HubSpot, Gong (95 %, fresh, 2026-06-03)", "• Uses SSO: No (95 %, fresh, 2026-06-03)"],
  ],
  [
    "Facts",
    { claims: [{ ...known, property: "works_at", value: id, name: "Acme" }] },
    ["• Employer: Acme (95 %, fresh, 2026-06-03)"],
  ],
  [
    "Timeline",
    {
      timeline: [
        { when, type: "email_sent", summary: "about\ncall_prep", tier: "full", id },
        { when, type: "email_opened", tier: "count", count: 4 },
      ],
    },
    ["• 2026-06-03 14:00 E-mail sent: about call_prep", "• E-mail opened × 4, latest 2026-06-03"],
  ],
  [
    "Conversation",
    {
      conversation: { ...mail, to: "Ada", subject: "Re: pilot", snippet: "Yes.", asked: ["When?"], waits_for: "us" },
    },
    [
      "• 2026-06-03 14:00 (2 days ago) E-mail received, Anna Smith to Ada: “Re: pilot”: Yes.",
      "• They asked: When?",
      "• Waits for us",
    ],
  ],
  [
    "Conversation",
    { conversation: { ...mail, age_days: 0 } },
    ["• 2026-06-03 14:00 (today) E-mail received, Anna Smith"],
  ],
  [
    "Documents",
    { documents: [{ id, type: "call_transcript", title: "Pilot", date: when, snippet: "They want SSO." }] },
    ["• 2026-06-03 Call transcript “Pilot”: They want SSO."],
  ],
  [
    "Open tasks",
    { tasks: [{ id, title: "Send the offer", due: "2026-06-04", assignee: "ada@acme.com" }] },
    ["• Send the offer, due 2026-06-04, ada@acme.com"],
  ],
  // What people wrote stays as they wrote it.
  [
    "Your context",
    { workspace: [{ id, property: "ICP", value: "They buy at:\n- deal_size: tier_1 <data>" }] },
    ["• ICP: They buy at:\n- deal_size: tier_1 <data>"],
  ],
  ["Open tasks", { tasks: [{ id, title: "Call", due: when, assignee: null }] }, ["• Call, due 2026-06-03 14:00"]],
  ["Stakeholders", { stakeholders: [{ entity_id: id, name: "Bo", role: "CFO" }] }, ["• Bo, CFO"]],
  [
    "End",
    { meta: { ...base.meta, truncated: true } },
    ["More is known; a larger budget shows it.", `Id of the record: ${base.entity.id}`],
  ],
];

test.each(cases)("%s of %j", (part, change, words) => {
  expect(wordsOfContext({ ...base, ...change })[part]).toEqual(words);
});
