import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, nonBlank, Time, Timestamp } from "#lib/core/schema.ts";
import { Section } from "./rules/sections.ts";

export { Section, scoringSections, sections } from "./rules/sections.ts";

export const Fact = z
  .strictObject({
    id: Id,
    category: z.string().describe("Section name; members may add their own in the app."),
    content: z.string(),
    source: z.string().describe("`api`, `mcp`, `manual` (the app), or what the observation named."),
    recorded_at: Timestamp,
  })
  .meta({ id: "Fact", description: "A fact of the GTM profile." });
export type Fact = z.output<typeof Fact>;

export const FactVersion = Fact.extend({
  confidence: z.number().min(0).max(1).describe("1 when it was asserted; less when a machine drafted it."),
  freshness: z
    .enum(["fresh", "aging", "suspect", "expired"])
    .describe("By the age of the latest evidence: under 30, 90, 180 days, or older."),
  epistemic_class: z.enum(["asserted", "observed", "inferred"]),
  last_observed_at: Timestamp.describe("When it was last said or confirmed."),
  supersedes: Id.nullable().describe("The fact this one took the place of."),
  superseded_by: Id.nullable().optional().describe("Only on history: what took its place; null when it was retired."),
  superseded_at: Timestamp.nullable().optional().describe("Only on history."),
}).meta({ id: "FactVersion", description: "A fact of the GTM profile with what is known about it." });
export type FactVersion = z.output<typeof FactVersion>;

const exampleFact = {
  id: "0190a6e0-0000-7000-8000-000000000001",
  category: "ICP",
  content: "Series A fintechs in the EU, 20 to 200 people.",
  source: "api",
  recorded_at: "2026-06-03T09:00:00.000Z",
};

const exampleVersion = {
  ...exampleFact,
  confidence: 0.95,
  freshness: "fresh",
  epistemic_class: "asserted",
  last_observed_at: "2026-06-03T09:00:00.000Z",
  supersedes: null,
} as const;

export const listFacts = defineOperation({
  name: "listFacts",
  tag: "GTM profile",
  summary: "Read the GTM profile",
  description:
    "Current facts, newest first. `as_of` answers what was true at that moment, `known_at` what was known at that moment; with `include_history` superseded and retired versions follow the same filters and order.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/facts" },
  input: z.strictObject({
    categories: z
      .array(z.string())
      .optional()
      .describe("Only these categories, matched exactly; comma-separated in a query string."),
    sections: z
      .array(z.string().trim().min(1))
      .min(1)
      .optional()
      .describe("Only these sections, such as ICP, in any case. One that this workspace does not have is refused."),
    limit: pageSize(50, 500),
    include_history: z.boolean().default(false).describe("Also superseded and retired versions."),
    as_of: Time.optional().describe("What was true at this time."),
    known_at: Time.optional().describe("What we knew at this time."),
  }),
  output: z.strictObject({
    facts: z.array(FactVersion),
    count: z.int().describe("Number of facts returned."),
    by_category: z.record(z.string(), z.int()).describe("Category to number of facts returned."),
  }),
  tool: {
    name: "get_gtm_profile",
    description: "How this workspace sells: ICP, market, product, pricing, competitors, positioning.",
    parameters: [["categories", "sections"], "limit"],
  },
  example: {
    input: { categories: ["ICP"], limit: 50 },
    output: {
      facts: [
        {
          ...exampleVersion,
        },
      ],
      count: 1,
      by_category: { ICP: 1 },
    },
  },
});

const Saved = z.strictObject({
  fact: Fact,
  section: z.string(),
  mode: z.enum(["replace", "append"]),
  superseded: z.boolean().describe("True when at least one fact became history."),
});

const content = nonBlank().describe("The section's current content, one short statement; up to 10,000 characters.");
const limited = content.max(10_000);

export const saveFact = defineOperation({
  name: "saveFact",
  tag: "GTM profile",
  summary: "Keep one section of the GTM profile current",
  description:
    "`replace` makes the new fact the only current one of its section and keeps the prior versions as history; `append` adds an entry. `supersedes` replaces exactly the named fact, whatever its section. Two writers at once leave one current fact, and neither text is lost.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/workspace/facts", status: 201 },
  input: z.strictObject({
    section: Section.describe("Which part of the profile."),
    content: limited,
    mode: z.enum(["replace", "append"]).optional().describe("Default `replace`; for `Notes` `append`."),
    supersedes: Id.optional().describe("Id of a fact to replace; takes precedence over mode and section."),
  }),
  output: Saved,
  errors: [
    "section_and_content_required",
    "invalid_section",
    "invalid_mode",
    "fact_not_found",
    "fact_already_superseded",
  ],
  codes: {
    missing: { section: "section_and_content_required", content: "section_and_content_required" },
    fields: { section: "invalid_section", mode: "invalid_mode", supersedes: "fact_not_found" },
  },
  tool: {
    name: "update_gtm_profile",
    description:
      "Write one section of the GTM profile. replace makes it the section's only current text, append adds an entry; earlier versions stay as history.",
    parameters: ["section", "content", "mode", "supersedes"],
  },
  example: {
    input: { section: "ICP", content: "Series A fintechs in the EU, 20 to 200 people." },
    output: { fact: exampleFact, section: "ICP", mode: "replace", superseded: false },
  },
});

/**
 * What the GTM Context tab does beyond the API: custom categories, edits that detect each other, retire, confirm,
 * restore.
 */
export const addEntry = defineOperation({
  name: "addEntry",
  tag: "GTM Context tab",
  summary: "Add an entry to a section or to a category of your own",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/gtm-context/entries", status: 201 },
  input: z.strictObject({
    category: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .regex(/^[^,\p{Cc}]+$/u),
    content: limited,
  }),
  output: Saved,
  errors: ["section_and_content_required"],
  codes: { missing: { category: "section_and_content_required", content: "section_and_content_required" } },
  example: {
    input: { category: "Objections", content: '"Too early for us": offer the pilot.' },
  },
});

export const editEntry = defineOperation({
  name: "editEntry",
  tag: "GTM Context tab",
  summary: "Replace the text of an entry; the old text becomes history",
  description:
    "`seen` is the content the editor started from: when the entry says something else by now, nothing is written and the answer is 409.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/gtm-context/entries/:id/edit", status: 201 },
  input: z.strictObject({ id: Id, content: limited, seen: z.string() }),
  output: Saved,
  errors: ["section_and_content_required", "fact_not_found", "fact_already_superseded", "fact_changed"],
  codes: { missing: { content: "section_and_content_required" }, fields: { id: "fact_not_found" } },
  example: {
    input: { id: exampleFact.id, content: "Series A and B fintechs in the EU.", seen: exampleFact.content },
  },
});

const entryId = z.strictObject({ id: Id });
const gone = {
  errors: ["fact_not_found", "fact_already_superseded"],
  codes: { fields: { id: "fact_not_found" } },
} as const;

export const retireEntry = defineOperation({
  name: "retireEntry",
  tag: "GTM Context tab",
  summary: "Retire an entry: it is no longer true, nothing takes its place",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/gtm-context/entries/:id/retire" },
  input: entryId,
  output: z.strictObject({ id: Id, retired_at: Timestamp }),
  ...gone,
  example: { input: { id: exampleFact.id } },
});

export const confirmEntry = defineOperation({
  name: "confirmEntry",
  tag: "GTM Context tab",
  summary: "Confirm that an entry is still true",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/gtm-context/entries/:id/confirm" },
  input: entryId,
  output: z.strictObject({ id: Id, last_observed_at: Timestamp }),
  ...gone,
  example: {
    input: { id: exampleFact.id },
  },
});

export const restoreEntry = defineOperation({
  name: "restoreEntry",
  tag: "GTM Context tab",
  summary: "Make an old version current again",
  description:
    "Writes a new fact with the old text. It takes the place of the current successor of that version, or stands alone when there is none.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/gtm-context/entries/:id/restore", status: 201 },
  input: z.strictObject({
    id: Id,
    content: limited.describe("The text of the version to restore, which must be one the entry had."),
  }),
  output: Saved,
  errors: ["fact_not_found"],
  codes: { fields: { id: "fact_not_found" } },
  example: {
    input: { id: exampleFact.id, content: exampleFact.content },
  },
});

export const EntryVersion = FactVersion.extend({
  author: z
    .string()
    .nullable()
    .describe("Name of the member or the API key that wrote it; null when neither is known."),
  client: z.string().nullable().describe("What the writer's program calls itself."),
});
export type EntryVersion = z.output<typeof EntryVersion>;

export const listVersions = defineOperation({
  name: "listVersions",
  tag: "GTM Context tab",
  summary: "Every wording the entries of one category have had, newest first, and who wrote it",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/gtm-context/history" },
  input: z.strictObject({ category: z.string().min(1), limit: pageSize(200, 500) }),
  output: z.strictObject({ versions: z.array(EntryVersion), has_more: z.boolean() }),
  example: {
    input: { category: "ICP" },
  },
});

export const listEntries = defineOperation({
  name: "listEntries",
  tag: "GTM Context tab",
  summary: "The current entries of the profile and who wrote them",
  description:
    "In an order that edits keep: an entry has the place of the one it replaced, and the entries that were begun last come first.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/gtm-context/entries" },
  input: z.strictObject({ limit: pageSize(500, 500) }),
  output: z.strictObject({ entries: z.array(EntryVersion) }),
  example: {
    input: { limit: 500 },
  },
});

export const getAgentView = defineOperation({
  name: "getAgentView",
  tag: "GTM Context tab",
  summary: "The profile as the text an agent reads",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/gtm-context/agent-view" },
  input: z.strictObject({}),
  output: z.strictObject({
    text: z.string(),
    facts: z.int(),
    tokens: z.int().describe("What the text costs in an agent's context, by the o200k encoding."),
  }),
  example: {
    input: {},
  },
});
