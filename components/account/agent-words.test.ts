import { expect, test } from "vitest";
import { readable } from "./agent-words.ts";

test.each([
  ["<data>Anna Smith, CTO.</data>", "Anna Smith, CTO."],
  ["ICP FIT\n68 of 100, tier_3. Size fits", "68 of 100, Tier 3. Size fits"],
  ["ICP FIT\n12 of 100, not_icp", "12 of 100, Not ICP"],
  [
    "FACTS\n<data>\n- job_title: CTO (95 %, fresh, 2026-06-03)\n- pipeline_stage: interested (80 %, aging, 2026-05-03)\n</data>",
    "• Title: CTO (95 %, fresh, 2026-06-03)\n• Stage: Interested (80 %, aging, 2026-05-03)",
  ],
  [
    "TIMELINE\n<data>\n- 2026-06-03 14:00 email_sent: about call_prep\n- email_opened × 4, latest 2026-06-01\n</data>",
    "• 2026-06-03 14:00 E-mail sent: about call_prep\n• E-mail opened × 4, latest 2026-06-01",
  ],
  [
    "<data>Who knows them: Ada (strong, 3 days ago), Ben (weak, today)</data>",
    "Ada (strong, 3 days ago), Ben (weak, today)",
  ],
  [
    [
      "CONVERSATION",
      "<data>",
      "- 2026-06-03 14:00 (2 d ago) email_received, Anna Smith to Ada: “Re: pilot”: Could you send email_sent? [thread:0190a6e0-0000-7000-8000-000000000071]",
      "- they asked: Could you send it?",
      "- waits for us",
      "</data>",
    ].join("\n"),
    "• 2026-06-03 14:00 (2 days ago) E-mail received, Anna Smith to Ada: “Re: pilot”: Could you send email_sent?\n• They asked: Could you send it?\n• Waits for us",
  ],
  [
    "More is known; a larger budget_tokens shows it.\nentity id: 0190a6e0-0000-7000-8000-000000000071",
    "More is known; a larger budget shows it.\nId of the record: 0190a6e0-0000-7000-8000-000000000071",
  ],
  ["CONVERSATION\n- 2026-06-03 14:00 (today) email_sent, Ada", "• 2026-06-03 14:00 (today) E-mail sent, Ada"],
  [
    "DOCUMENTS\n- 2026-06-03 call_transcript “Pilot”: They want SSO. [note:0190a6e0-0000-7000-8000-000000000071]",
    "• 2026-06-03 Call transcript “Pilot”: They want SSO.",
  ],
  [
    "OPEN TASKS\n- Send the offer, due 2026-06-03 [0190a6e0-0000-7000-8000-000000000071]",
    "• Send the offer, due 2026-06-03",
  ],
])("%j reads %j", (text, words) => {
  expect(readable(text)).toBe(words);
});
