import { nearest } from "#lib/core/nearest.ts";
import { own } from "#lib/core/own.ts";
import { activityAliases, activityMeant, activityTypes, propertyOfActivity } from "#lib/domain/evidence/contract.ts";
import { type Stage, stages } from "#lib/domain/people/service.ts";

type Kind = "person" | "company";

/** Names that callers use for a standard field. */
const fieldAliases: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  person: { stage: "pipeline_stage", phone_number: "phone" },
  company: {},
};

/** What is not told by a state, and how it is told. */
const toldElsewhere: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  person: {
    email: "email is an identifier: set it with PATCH /v2/people/:focus",
    linkedin_url: "linkedin_url is an identifier: set it with PATCH /v2/people/:focus",
    domain: "a person has no domain: give job_title, or link a company by a business e-mail address",
    name: "a person's name is first_name and last_name",
    status: "status is set with PATCH /v2/people/:focus",
    company_id: "company_id follows from works_at: record works_at with the company's id",
    last_activity_at: "last_activity_at follows from events: record the event",
    created_at: "created_at is when the record was made and does not change",
    properties: "give each property as a state of its own",
  },
  company: {
    domain: "domain is an identifier: set it with PATCH /v2/companies/:focus",
    linkedin_url: "linkedin_url is an identifier: set it with PATCH /v2/companies/:focus",
    email: "a company has no email: record it about the person",
    status: "status is set with PATCH /v2/companies/:focus",
    people_count: "people_count follows from the people who work there",
    last_activity_at: "last_activity_at follows from events: record the event",
    created_at: "created_at is when the record was made and does not change",
    properties: "give each property as a state of its own",
  },
};

/** The property a state of a person or company is kept under, or why it cannot be one. */
export function stateNamed(type: Kind, property: string): { property: string } | { refusal: string } {
  const refusal = own(toldElsewhere[type], property);
  if (refusal !== undefined) return { refusal: `${refusal}.` };
  return { property: own(fieldAliases[type], property) ?? property };
}

export const isStage = (value: unknown): value is Stage => stages.some((stage) => stage === value);

/** The property an event is kept under: an activity's, when it is called by one of its names. */
export function eventNamed(property: string): string {
  const type = activityMeant(property);
  return type === null ? property : propertyOfActivity(type);
}

/** What to tell a caller whose event is no activity; null when it is one. */
export function warningOf(property: string): string | null {
  if (activityMeant(property) !== null) return null;
  const name = property.replace(/^interaction\./, "");
  const meant = nearest(name, [...activityTypes, ...Object.keys(activityAliases)]);
  const hint = meant === undefined ? "" : ` Did you mean interaction.${activityMeant(meant)}?`;
  return `${property} is not an activity type, so it is kept on the timeline and moves no stage.${hint}`;
}
