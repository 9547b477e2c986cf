import { createHash } from "node:crypto";
import { type Stage, stages } from "#lib/domain/crm/recording/service.ts";
import type { CrmContact, CrmField, CrmValues } from "#lib/providers/crm.ts";
import { DAY_MS, HOUR_MS } from "#lib/text/time.ts";
import type { CrmConfig, CrmRules } from "../contract.ts";

/** What a workspace gets that configured nothing. */
export const standardRules: CrmRules = {
  autoSync: true,
  pushActivities: true,
  createInCrm: false,
  createTrigger: "engaged",
  createRequireIcpFit: false,
  createIcpThreshold: 70,
  hygieneEnabled: false,
  hygieneCadence: "weekly",
};

/** A person as a CRM needs them. */
export type Person = {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  jobTitle: string | null;
  company: string | null;
  companyDomain: string | null;
  phone: string | null;
  linkedinUrl: string | null;
  stage: Stage;
  icpScore: number | null;
  lastActivityAt: Date | null;
};

/** What is pushed of a person to a CRM with places for these fields. What we do not know is left as it is there. */
export function valuesOf(person: Person, fields: readonly CrmField[]): CrmValues {
  const all: Record<CrmField, string | null> = {
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
    job_title: person.jobTitle,
    company: person.company,
    company_domain: person.companyDomain,
    phone: person.phone,
    linkedin_url: person.linkedinUrl,
    stage: person.stage,
  };
  const fieldValues = fields.flatMap((field) => {
    const value = all[field]?.trim();
    return value ? [[field, value] as const] : [];
  });
  return Object.fromEntries(fieldValues);
}

/** A short hash of each field as it was pushed. */
export type FieldHashes = Readonly<Partial<Record<CrmField, string>>>;

const hashOf = (value: string): string => createHash("sha256").update(value).digest("base64url").slice(0, 12);

export const hashesOf = (values: CrmValues): FieldHashes =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, hashOf(value)]));

type Groups = readonly (readonly CrmField[])[];

/** The fields, and those that the CRM takes only together with one of them. */
const withGroups = (fields: readonly CrmField[], groups: Groups): ReadonlySet<CrmField> =>
  new Set([...fields, ...groups.filter((group) => group.some((field) => fields.includes(field))).flat()]);

const only = (values: CrmValues, fields: ReadonlySet<CrmField>): CrmValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.has(field as CrmField)));

/**
 * What has changed since it was pushed. The address that was pushed stays while it is one of the person's: another one that
 * comes first now may be that of another contact.
 */
export function changesOf(
  values: CrmValues,
  pushed: FieldHashes,
  emails: readonly string[],
  groups: Groups,
): CrmValues {
  const hashes = hashesOf(values);
  const isOurs = emails.some((email) => hashOf(email) === pushed.email);
  const changed = (Object.keys(values) as CrmField[]).filter(
    (field) => hashes[field] !== pushed[field] && !(field === "email" && isOurs),
  );
  return only(values, withGroups(changed, groups));
}

/**
 * What counts as pushed when a person is linked to a contact that was there: each field that the contact has, so that the
 * first sync only fills what is empty. Later, what changes here is pushed. The stage is ours and always pushed.
 */
export function adopted(values: CrmValues, contact: CrmContact, groups: Groups): FieldHashes {
  const filled = (Object.keys(contact.values) as CrmField[]).filter(
    (field) => field !== "stage" || contact.values.stage === values.stage,
  );
  const kept = hashesOf(only(values, withGroups(filled, groups)));
  const [email] = contact.emails;
  return email === undefined ? kept : { ...kept, email: hashOf(email) };
}

/** The contact among these that has one of the addresses: of several, that of the first address. */
export const matchOf = (emails: readonly string[], contacts: readonly CrmContact[]): CrmContact | null =>
  emails.map((email) => contacts.find((contact) => contact.emails.includes(email))).find((found) => found) ?? null;

const reached = (stage: Stage, least: Stage): boolean => stages.indexOf(stage) >= stages.indexOf(least);

/** Why the rules do not create this person in the CRM; null when they do. */
export function whyNotCreate(person: Person, rules: CrmRules): string | null {
  const { createInCrm, createTrigger, createRequireIcpFit, createIcpThreshold } = rules;
  if (!createInCrm) return "It has no such contact, and the rules create none.";
  if (createTrigger === "engaged" && person.lastActivityAt === null)
    return "Not created: nothing has happened with this person yet.";
  if (createTrigger !== "any" && createTrigger !== "engaged" && !reached(person.stage, createTrigger))
    return `Not created: the stage is ${person.stage}, and contacts are created from ${createTrigger} on.`;
  if (!createRequireIcpFit) return null;
  if (person.icpScore === null) return "Not created: there is no ICP score yet.";
  if (person.icpScore >= createIcpThreshold) return null;
  return `Not created: the ICP score is ${person.icpScore}, and ${createIcpThreshold} is needed.`;
}

/** The rules after a change; fields left out stay as they are. */
export const configured = (before: CrmRules, change: Partial<CrmRules>): CrmRules => {
  const set = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(set) as Partial<CrmRules>) };
};

const DAYS: Readonly<Record<CrmConfig["hygieneCadence"], number>> = { daily: 1, weekly: 7, monthly: 30 };

/** Whether the linked records are to be checked again. */
export const isCheckDue = (rules: CrmRules, last: Date | null, now: Date): boolean =>
  rules.hygieneEnabled &&
  (last === null || now.getTime() - last.getTime() >= DAYS[rules.hygieneCadence] * DAY_MS - HOUR_MS);
