import { expect, test } from "vitest";
import { readable } from "./agent-words.ts";

test.each([
  ["<data>Anna Smith, CTO.</data>", "Anna Smith, CTO."],
  ["ICP FIT\n68 of 100, tier_3. Size fits", "68 of 100, Tier 3. Size fits"],
  ["ICP FIT\n12 of 100, not_icp", "12 of 100, Not ICP"],
  [
    "FACTS\n<data>\n- job_title: CTO (95 %, fresh, 2026-06-03)\n- pipeline_stage: interested (80 %, aging, 2026-05-03)\n</data>",
    "- Title: CTO (95 %, fresh, 2026-06-03)\n- Stage: Interested (80 %, aging, 2026-05-03)",
  ],
  [
    "TIMELINE\n<data>\n- 2026-06-03 14:00 email_sent: about call_prep\n- email_opened × 4, latest 2026-06-01\n</data>",
    "- 2026-06-03 14:00 E-mail sent: about call_prep\n- E-mail opened × 4, latest 2026-06-01",
  ],
])("%j reads %j", (text, words) => {
  expect(readable(text)).toBe(words);
});
