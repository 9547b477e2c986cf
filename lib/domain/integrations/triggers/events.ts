import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { timelineTypes } from "#lib/domain/records/evidence/contract.ts";
import { eventAliases } from "./words.ts";

/** Groups of the event picker, in its order. */
export const eventGroups = ["Pipeline", "Activity", "Knowledge", "Leads"] as const;

type EventGroup = (typeof eventGroups)[number];

const like = <S extends z.ZodType>(schema: S, example: z.input<S>, description?: string): S =>
  schema.meta({ examples: [example], ...(description === undefined ? {} : { description }) });

const id = (last: number) => `0190a6e0-0000-7000-8000-${String(last).padStart(12, "0")}`;
const text = (example: string, description?: string) => like(z.string(), example, description);
const orNull = <S extends z.ZodType>(schema: S, example: z.input<S> | null, description?: string) =>
  like(schema.nullable(), example as never, description);

/** The contact an event is about; in the data of every event. */
const about = {
  workspace_id: like(Id, id(1)),
  entity_id: like(Id, id(20), "The record it is about."),
  entity_type: like(z.enum(["person", "company", "workspace"]), "person"),
  entity_name: text("Anna Smith"),
  email: orNull(z.string(), "anna@acme.com", "A person's e-mail address, where it is known."),
  domain: orNull(z.string(), "acme.com", "The domain of the company, or of the person's company, where it is known."),
  source: orNull(z.string(), "api", "Who reported it."),
};

/** What changed; in the data of every event. */
const change = <V extends z.ZodType>(
  value: V,
  example: z.input<V>,
  previous: z.input<V> | null,
  causedBy: string | null = null,
) => ({
  previous: orNull(value, previous, "What it was before; null when there was nothing."),
  value: like(value, example, "What it is now."),
  caused_by: orNull(Id, causedBy, "The observation that made it happen; null when someone set it."),
});

const Happened = z.strictObject({
  description: z.string().nullable(),
  metadata: z.record(z.string(), z.json()).nullable().describe("Null when there is none, or more than 8 KiB of it."),
});
const activity = z.strictObject({
  ...about,
  activity_id: like(Id, id(30)),
  activity_type: like(z.enum(timelineTypes), "email_received"),
  occurred_at: like(Timestamp, "2026-06-03T14:00:00.000Z"),
  external_id: orNull(z.string(), "msg_182", "The id that the reporter gave it."),
  ...change(Happened, { description: "Re: Security review", metadata: { thread: "182" } }, null),
});

const Stage = z.enum(["identified", "aware", "interested", "evaluating", "client"]);
const stageAdvanced = z.strictObject({ ...about, ...change(Stage, "interested", "aware", id(30)) });

const contactCreated = z.strictObject({
  ...about,
  ...change(z.strictObject({ pipeline_stage: Stage }), { pipeline_stage: "identified" }, null),
});

const Statement = z.strictObject({ id: Id, category: z.string(), content: z.string() });
const factRecorded = z.strictObject({
  ...about,
  ...change(
    Statement,
    { id: id(12), category: "ICP", content: "Series A fintechs in the EU." },
    { id: id(11), category: "ICP", content: "Seed fintechs in Germany." },
  ),
});

const Written = z.strictObject({ id: Id, title: z.string().nullable(), type: z.string(), date: z.string() });
const noteSaved = z.strictObject({
  ...about,
  note_id: like(Id, id(10), "Read it with GET /v2/notes/:id."),
  ...change(Written, { id: id(10), title: "Discovery call", type: "meeting_notes", date: "2026-06-03" }, null),
});

const leadReplied = z.strictObject({
  ...about,
  lead_id: like(Id, id(40)),
  list_id: like(Id, id(41)),
  ...change(z.json(), "replied", "sent", id(30)),
});

const Score = z.strictObject({ score: z.int().nullable(), tier: z.string().nullable() });
const icpChanged = z.strictObject({
  ...about,
  previous: orNull(Score, { score: 62, tier: "tier_3" }, "The score before; null when there was none."),
  value: like(
    Score.extend({ reason: z.string().nullable() }),
    { score: 78, tier: "tier_2", reason: "VP of Finance at a Series A fintech." },
    "The score now.",
  ),
  caused_by: orNull(Id, id(30), "The observation that made it happen; null when the model changed."),
});

type EventKind = {
  group: EventGroup;
  about: string;
  data: z.ZodObject;
};

const activities = Object.fromEntries(
  timelineTypes.map((type): [string, EventKind] => [
    `activity.${type}`,
    {
      group: "Activity",
      about: `An activity of the type ${type} was captured.`,
      data: activity.extend({ activity_type: like(z.enum(timelineTypes), type) }),
    },
  ]),
);

/** Every event there is, by its own name. */
const eventKinds: Readonly<Record<string, EventKind>> = {
  "stage.advanced": {
    group: "Pipeline",
    about: "A person moved up the pipeline.",
    data: stageAdvanced,
  },
  "contact.created": {
    group: "Pipeline",
    about: "A person became a contact.",
    data: contactCreated,
  },
  "icp.changed": {
    group: "Pipeline",
    about: "The score or tier of a person or company changed.",
    data: icpChanged,
  },
  ...activities,
  "fact.recorded": {
    group: "Knowledge",
    about: "A fact of the GTM profile became current.",
    data: factRecorded,
  },
  "note.saved": {
    group: "Knowledge",
    about: "A note was saved on a person or company.",
    data: noteSaved,
  },
  "lead.replied": { group: "Leads", about: "A lead of a list replied.", data: leadReplied },
};

/** What can be asked for: names and aliases. */
export const availableEvents: readonly string[] = [...Object.keys(eventKinds), ...Object.keys(eventAliases)];

/** An event's own name; undefined when there is none of that name. */
export const eventNamed = (name: string): string | undefined =>
  Object.hasOwn(eventKinds, name) ? name : Object.hasOwn(eventAliases, name) ? eventAliases[name] : undefined;

export const kindOf = (name: string): EventKind => {
  const kind = eventKinds[eventNamed(name) ?? ""];
  if (!kind) throw new Error(`there is no event ${name}`);
  return kind;
};

/** The body of every request. */
export const bodySchema = (name: string) =>
  z.strictObject({ type: z.literal(name), timestamp: Timestamp, data: kindOf(name).data });

type SchemaMeta = { examples?: readonly unknown[] };

/** A sample of an event's data, from the examples of its schema. */
const sampleData = (name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(kindOf(name).data.shape).map(([field, schema]) => [
      field,
      ((schema as z.ZodType).meta() as SchemaMeta | undefined)?.examples?.[0],
    ]),
  );

/** A sample of the body that a trigger gets. */
export const sampleBody = (name: string, at = "2026-06-03T14:00:00.500Z") => ({
  type: name,
  timestamp: at,
  data: sampleData(name),
});
