import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

/** What two records can have in common that suggests that they are one. */
export const commonalities = ["name", "company", "phone", "identifier"] as const;

const MergedRecord = z
  .strictObject({
    entity_id: Id,
    type: z.enum(["person", "company"]),
    name: z.string().nullable(),
  })
  .meta({ id: "MergedRecord", description: "One of two records that are, or may be, the same." });
const anna = { entity_id: "0190a6e0-0000-7000-8000-000000000010", type: "person", name: "Anna Smith" } as const;
const double = { ...anna, entity_id: "0190a6e0-0000-7000-8000-000000000012" };

export const mergeAccounts = defineOperation({
  name: "mergeAccounts",
  tag: "Accounts",
  summary: "Merge two records of one person or company",
  description:
    "Identifiers, observations, notes and timeline of `drop` count for `keep` from then on; the id of `drop` keeps resolving, to `keep`. Reversible by unmerge. With dry_run nothing is written and the answer says what would follow.",
  surface: "public",
  scope: "write",
  writes: ({ dry_run }) => !dry_run,
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/accounts/merge" },
  input: z.strictObject({
    keep: z.string().describe("Focus of the record that stays."),
    drop: z.string().describe("Focus of the record that becomes part of it."),
    fields: z
      .record(z.string(), z.enum(["keep", "drop"]))
      .optional()
      .describe(
        "For properties the two differ in, whose value counts; for `email`, `linkedin_url` and `domain`, whose is primary. Kept as evidence. Without one, `keep` keeps its owner, company and primary identifiers, the stage is not lowered, who unsubscribed stays so, and the evidence of both decides the rest.",
      ),
    dry_run: z.boolean().default(false).describe("True: only say what would follow."),
  }),
  output: z.strictObject({
    merge_id: Id.nullable().describe("Names the merge for unmerge; null in a dry run."),
    dry_run: z.boolean(),
    keep: MergedRecord,
    drop: MergedRecord,
    moves: z.strictObject({ identifiers: z.int(), observations: z.int() }),
    conflicts: z
      .array(
        z.strictObject({
          property: z.string(),
          keep: z.unknown(),
          drop: z.unknown(),
          result: z.unknown(),
          suggested: z
            .enum(["keep", "drop"])
            .describe(
              "What a person would mostly choose: the record that stays keeps its names, company and primary identifiers, and the stage is never lowered.",
            ),
        }),
      )
      .describe("Properties the two records differ in, and what is believed after the merge."),
    in_common: z
      .array(z.enum(commonalities))
      .describe("What suggests that they are one; empty when nothing does but your word."),
  }),
  errors: ["invalid_focus", "entity_not_found", "cannot_merge"],
  codes: { fields: { keep: "invalid_focus", drop: "invalid_focus" } },
  example: {
    input: { keep: "anna@acme.com", drop: "anna.smith@gmail.com", dry_run: true },
    output: {
      merge_id: null,
      dry_run: true,
      keep: anna,
      drop: double,
      moves: { identifiers: 1, observations: 4 },
      conflicts: [{ property: "job_title", keep: "CTO", drop: "VP Engineering", result: "CTO", suggested: "keep" }],
      in_common: ["name"],
    },
  },
});

export const unmergeAccounts = defineOperation({
  name: "unmergeAccounts",
  tag: "Accounts",
  summary: "Undo a merge",
  description:
    "The two records are as if they had never been merged; what was recorded about the kept one since stays with it.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/accounts/unmerge" },
  input: z.strictObject({ merge_id: Id.describe("What the merge answered.") }),
  output: z.strictObject({ keep: MergedRecord, restored: MergedRecord, undone_at: Timestamp }),
  errors: ["merge_not_found", "merge_already_undone", "merge_not_latest"],
  codes: { fields: { merge_id: "merge_not_found" } },
  example: {
    input: { merge_id: "0190a6e0-0000-7000-8000-000000000013" },
    output: { keep: anna, restored: double, undone_at: "2026-06-03T09:00:00.000Z" },
  },
});

export const listMerges = defineOperation({
  name: "listMerges",
  tag: "Accounts",
  summary: "What was merged into a record",
  description: "The merges into this person or company that can be undone by unmerge, the latest 50 first.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/merges" },
  input: z.strictObject({ focus: z.string().describe("Entity id, e-mail, LinkedIn URL or domain.") }),
  output: z.strictObject({
    merges: z.array(
      z.strictObject({
        merge_id: Id.describe("Names the merge for unmerge."),
        record: MergedRecord,
        identifiers: z
          .array(z.strictObject({ kind: z.string(), value: z.string() }))
          .describe("Those it brought and would take back."),
        merged_at: Timestamp,
        merged_by: z.string().describe("`user:<id>`, `api_key:<id>` …"),
      }),
    ),
  }),
  errors: ["invalid_focus", "entity_not_found"],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      merges: [
        {
          merge_id: "0190a6e0-0000-7000-8000-000000000013",
          record: double,
          identifiers: [{ kind: "email", value: "anna.smith@gmail.com" }],
          merged_at: "2026-06-03T09:00:00.000Z",
          merged_by: "user:0190a6e0-0000-7000-8000-000000000014",
        },
      ],
    },
  },
});

export const suggestMerges = defineOperation({
  name: "suggestMerges",
  tag: "Accounts",
  summary: "Records that may be the same",
  description:
    "Likely duplicates with the reason. Nothing is merged automatically, and never on a name alone. Where comparing takes over a second, what was found at `counted_at`; that is done once an hour.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/duplicates" },
  input: z.strictObject({ limit: pageSize(50, 200) }),
  output: z.strictObject({
    suggestions: z.array(
      z.strictObject({
        records: z.array(MergedRecord),
        reason: z
          .enum(["same_phone", "same_name_and_company", "same_name_and_written_company", "same_company_name"])
          .describe(
            "`same_name_and_written_company`: one of the people has the company only as text, which reads like the other's.",
          ),
        detail: z.string(),
      }),
    ),
    counted_at: Timestamp.nullable().describe("When records were compared. Null: that took too long."),
  }),
  example: {
    input: {},
    output: {
      suggestions: [{ records: [anna, double], reason: "same_name_and_company", detail: "Anna Smith at Acme" }],
      counted_at: "2026-06-03T09:00:00.000Z",
    },
  },
});

export const statuses = ["net_new", "known", "engaged", "recent", "bounced", "unsubscribed"] as const;
const list = (what: string) => z.array(z.string().max(300)).max(50_000).optional().describe(`${what} to check.`);

export const checkList = defineOperation({
  name: "checkList",
  tag: "Accounts",
  summary: "What do we already know of this list",
  description:
    "One status per value, the first that applies: `unsubscribed`, `bounced` (the last e-mail signal was a bounce), `engaged` (stage `interested` or above), `recent` (activity in the last 30 days; a note of yours is none), `known`, `net_new`. At most 50,000 values in all.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/dedup", body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({
    emails: list("E-mail addresses"),
    linkedin_urls: list("LinkedIn URLs"),
    domains: list("Domains of companies"),
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        value: z.string(),
        kind: z.enum(["email", "linkedin_url", "domain"]),
        status: z.enum([...statuses, "invalid"]),
        entity_id: Id.nullable(),
      }),
    ),
    summary: z.record(z.string(), z.int()),
  }),
  example: {
    input: { emails: ["anna@acme.com", "new@acme.com"] },
    output: {
      results: [
        { value: "anna@acme.com", kind: "email", status: "engaged", entity_id: anna.entity_id },
        { value: "new@acme.com", kind: "email", status: "net_new", entity_id: null },
      ],
      summary: { net_new: 1, known: 0, engaged: 1, recent: 0, bounced: 0, unsubscribed: 0, invalid: 0, total: 2 },
    },
  },
});
