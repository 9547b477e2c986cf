import type { Identifier } from "#lib/domain/records/entities/service.ts";
import { activityNamed, eventProperty, jsonIn, valueOfActivity } from "./activities.ts";
import type { Cell } from "./cells.ts";
import type { Plan } from "./plan.ts";
import { RowReader, type Understood } from "./row-reader.ts";

export type GivenActivity = {
  /** null: only its id says whose it is */
  named: Identifier | null;
  /** of a contact who is new */
  name: string | null;
  /** of an activity that Rapport exported */
  id: string | null;
  property: string;
  value: unknown;
  source: string | null;
  externalId: string | null;
  /** null: the moment it is recorded */
  happenedAt: Date | null;
};

/** A row that is an activity. */
export function activityIn(plan: Plan, cells: readonly Cell[]): Understood<GivenActivity> {
  const row = new RowReader(plan, cells);
  const named = row.subject();
  const type = row.one("type", 200);
  const property = eventProperty(row.one("event", 200)) ?? (type === null ? null : activityNamed(type).property);
  const summary = row.one("summary", 2_000);
  const label = summary ?? type;
  const id = row.one("activity_id", 50);
  const skip = (code: string, message: string) => {
    row.reasons.unshift({ code, message, column: null });
    return { given: null, label, reasons: row.reasons };
  };
  if (!named && id === null)
    return skip("no_identifier", "The row does not say which person or company the activity is about.");
  if (property === null) return skip("no_type", "The row does not say what happened.");
  const ownValue = row.one("value", 100_000);
  const metadata = { ...(type === null ? {} : activityNamed(type).metadata), ...row.properties() };
  return {
    given: {
      ...{ named, id, property, name: row.one("name", 400) },
      value: ownValue === null ? valueOfActivity(summary, metadata) : jsonIn(ownValue),
      source: row.one("source", 128),
      externalId: row.one("external_id", 255),
      happenedAt: row.date("date")?.time ?? null,
    },
    label,
    reasons: row.reasons,
  };
}
