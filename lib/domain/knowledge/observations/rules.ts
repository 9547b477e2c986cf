import { companyFields, fieldAliases, personFields, type Stage, stages } from "#lib/domain/crm/recording/service.ts";
import {
  activityAliases,
  activityMeant,
  activityTypes,
  propertyOfActivity,
} from "#lib/domain/records/evidence/contract.ts";
import { nearest } from "#lib/text/nearest.ts";
import { own } from "#lib/text/own.ts";

type Kind = "person" | "company";

const ofBoth = {
  id: "id does not change",
  entity_id: "entity_id does not change",
  created_at: "created_at is when the record was made and does not change",
  updated_at: "updated_at follows from what is recorded",
  last_activity_at: "last_activity_at follows from events: record the event",
  properties: "give each property as a state of its own",
};

/** What is not told by a state, and how it is told. */
const toldElsewhere: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  person: {
    ...ofBoth,
    linkedin: "linkedin_url is an identifier: set it with PATCH /v2/people/:focus",
    email: "email is an identifier: set it with PATCH /v2/people/:focus",
    linkedin_url: "linkedin_url is an identifier: set it with PATCH /v2/people/:focus",
    domain: "a person has no domain: give job_title, or link a company by a business e-mail address",
    name: "a person's name is first_name and last_name",
    status: "status is set with PATCH /v2/people/:focus",
    company_id: "company_id follows from works_at: record works_at with the company's id",
  },
  company: {
    ...ofBoth,
    linkedin: "linkedin_url is an identifier: set it with PATCH /v2/companies/:focus",
    domain: "domain is an identifier: set it with PATCH /v2/companies/:focus",
    linkedin_url: "linkedin_url is an identifier: set it with PATCH /v2/companies/:focus",
    email: "a company has no email: record it about the person",
    status: "status is set with PATCH /v2/companies/:focus",
    people_count: "people_count follows from the people who work there",
  },
};

const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Every name that is no custom property, by itself without case and underscores, so that `firstName` is `first_name`. */
const ofFields = (type: Kind, fields: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    [...Object.keys(toldElsewhere[type]), ...Object.keys(fieldAliases[type]), ...fields].map((name) => [
      plain(name),
      name,
    ]),
  );
const named = { person: ofFields("person", personFields), company: ofFields("company", companyFields) };

/** The property a state of a person or company is kept under, or why it cannot be one. */
export function stateNamed(type: Kind, property: string): { property: string } | { refusal: string } {
  const name = named[type].get(plain(property)) ?? property;
  const refusal = own(toldElsewhere[type], name);
  if (refusal !== undefined) return { refusal: `${refusal}.` };
  return { property: own(fieldAliases[type], name) ?? name };
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
