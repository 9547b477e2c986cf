import { expect, test } from "vitest";
import { auditSentence } from "./audit-words.ts";

test.each<[string, Record<string, unknown>, string]>([
  [
    "integration.connected",
    { provider: "cal_com", account: "Olive (olive@acme.com)" },
    "connected Cal.com (Olive (olive@acme.com))",
  ],
  ["integration.disconnected", { provider: "fathom", account: null }, "disconnected Fathom"],
  ["backfill.started", { contacts: 1200 }, "looked for past bookings of 1,200 contacts"],
  ["crm_sync.started", { provider: "hubspot", dry_run: true, full: false }, "compared people with HubSpot"],
  [
    "trigger.created",
    { name: null, url: "https://x.example/hook", events: ["a"] },
    "created the trigger to https://x.example/hook",
  ],
  ["trigger.resumed", { was: "disabled", skipped: 1 }, "resumed a trigger and skipped 1 delivery"],
  [
    "scoring_model.saved",
    { version: 3, builder: "user", signals: 1 },
    "saved version 3 of the ICP scoring model (1 signal)",
  ],
  [
    "member.removed",
    { email: "a@acme.com", owned: { people: 1200, companies: 1, tasks: 2, api_keys: 0 } },
    "removed a@acme.com, who owned 1,200 people, 1 company, 2 open tasks",
  ],
  ["job.retried", { job: "0190a6e0" }, "ran a failed job again"],
  ["api_key.revoked", { name: "CI", approved_by: "Ada" }, "revoked the API key CI, approved by Ada"],
])("%s of %j is a sentence", (action, detail, said) => {
  expect(auditSentence({ action, detail })).toBe(said);
});

test("an action of another version is told by its name", () => {
  expect(auditSentence({ action: "invoice.voided", detail: {} })).toBe("did this: invoice voided");
});
