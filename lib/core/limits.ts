/** What an API key or connected client is kept from, beside its scopes. */

/** Kinds of records that one may be limited to. */
export const recordKinds = ["people", "companies", "activities", "notes", "leads", "tasks", "facts"] as const;
export type RecordKind = (typeof recordKinds)[number];

export const kindWords: Readonly<Record<RecordKind, string>> = {
  people: "People",
  companies: "Companies",
  activities: "Activities",
  notes: "Notes",
  leads: "Leads",
  tasks: "Tasks",
  facts: "GTM profile",
};

export type Limits = {
  /** The only kinds it may read and write; empty: all. */
  kinds: readonly RecordKind[];
  /** Properties of people and companies that it neither reads nor writes. */
  hiddenFields: readonly string[];
};

export const noLimits: Limits = { kinds: [], hiddenFields: [] };

/** The field of every person that can be hidden; the others are custom properties. */
export const HIDEABLE = "phone";

/** The names that callers may use for a field. */
export const aliasesOf = (field: string): string[] => (field === HIDEABLE ? [HIDEABLE, "phone_number"] : [field]);

/** The limits as a caller has them; undefined where there are none. */
export const limitsIn = ({ kinds, hiddenFields }: Limits): Limits | undefined =>
  kinds.length === 0 && hiddenFields.length === 0 ? undefined : { kinds, hiddenFields };

/** Limits as callers send them: what is not given stays as it is. */
export const limitsOf = (
  input: { kinds?: RecordKind[] | undefined; hidden_fields?: string[] | undefined },
  before: Limits,
): { kinds: RecordKind[]; hiddenFields: string[] } => ({
  kinds: recordKinds.filter((kind) => (input.kinds ?? before.kinds).includes(kind)),
  hiddenFields: [...new Set(input.hidden_fields ?? before.hiddenFields)].sort(),
});

export const areSame = (a: Limits, b: Limits): boolean =>
  a.kinds.join() === b.kinds.join() && a.hiddenFields.join() === b.hiddenFields.join();

/** What the audit log has of limits. */
export const limitsAudited = (limits: Limits): Record<string, readonly string[]> =>
  limitsIn(limits) ? { kinds: limits.kinds, hidden_fields: limits.hiddenFields } : {};
