import { isHigher, stageOf } from "#lib/domain/crm/recording/service.ts";
import { identifierKey } from "#lib/domain/records/entities/service.ts";
import { fold } from "#lib/text/fold.ts";
import { commonalities } from "./contract.ts";
import type { IdentifierRank, Suggestion } from "./queries.ts";

export type Side = "keep" | "drop";

/** What the record that stays keeps also when nothing is chosen. */
const KEPT: readonly string[] = ["owner", "company", "works_at"];

/** What it keeps mostly: its names, and where it came from. */
const OWN: readonly string[] = ["first_name", "last_name", "name", "source", ...KEPT];

const STAGE = "pipeline_stage";

/** Who of the two asked for no more mail is asked for both. */
const OPTED_OUT = "unsubscribed";

/**
 * Whose value a person would mostly want of a property that two records differ in: the record that stays keeps its names, its source, its owner and
 * its company, the stage is never lowered, who unsubscribed stays so, and otherwise the one that the evidence of both together
 * supports. `result`: what that is.
 */
export function suggestedSide(
  property: string,
  values: { keep: unknown; drop: unknown; result: "keep" | "drop" | null },
): Side {
  if (OWN.includes(property)) return "keep";
  if (property === OPTED_OUT) return values.keep === true ? "keep" : "drop";
  if (property !== STAGE) return values.result ?? "keep";
  const [keep, drop] = [stageOf(values.keep), stageOf(values.drop)];
  return isHigher(drop, keep) ? "drop" : "keep";
}

/** A property that two records differ in. `result`: what the evidence of both together supports. */
export type Differing = { property: string; keep: unknown; drop: unknown; result: unknown; suggested: Side };

/** What is chosen where the caller chooses nothing: never what newer evidence of the other record would bring. */
export const keptAnyway = (differing: readonly Differing[]): Readonly<Record<string, Side>> =>
  Object.fromEntries(
    differing
      .filter(({ property }) => KEPT.includes(property) || property === OPTED_OUT)
      .map(({ property, suggested }) => [property, suggested]),
  );

/**
 * The choices of a merge. Where none was made about the stage and the evidence of both together would lower it, the higher one
 * is chosen.
 */
export function withHigherStage(
  fields: Readonly<Record<string, Side>>,
  differing: readonly Differing[],
): Readonly<Record<string, Side>> {
  const stage = differing.find(({ property }) => property === STAGE);
  if (!stage || fields[STAGE] || stage.result === stage[stage.suggested]) return fields;
  return { ...fields, [STAGE]: stage.suggested };
}

export type Commonality = (typeof commonalities)[number];

/** What is known of a record: what is believed of it by property, and its identifiers, those of the past too. */
export type MergeSide = {
  values: ReadonlyMap<string, unknown>;
  identifiers: readonly { kind: string; value: string }[];
};

/** What two records have in common that suggests that they are one. */
export function inCommon(a: MergeSide, b: MergeSide): Commonality[] {
  const shared: Record<Commonality, boolean> = {
    name: meet(namesOf(a), namesOf(b)),
    company: meet(companiesOf(a), companiesOf(b)),
    phone: meet(valuesOf(a, "phone"), valuesOf(b, "phone")),
    identifier: meet(identifiersOf(a), identifiersOf(b)),
  };
  return commonalities.filter((each) => shared[each]);
}

const meet = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));

const valuesOf = ({ values }: MergeSide, property: string): string[] => {
  const value = values.get(property);
  return typeof value === "string" && value.trim() !== "" ? [fold(value)] : [];
};

/** A person's name needs both parts: there are many Annas. */
function namesOf(side: MergeSide): string[] {
  const [first] = valuesOf(side, "first_name");
  const [last] = valuesOf(side, "last_name");
  return [...valuesOf(side, "name"), ...(first && last ? [`${first} ${last}`] : [])];
}

const companiesOf = (side: MergeSide): string[] => [...valuesOf(side, "company"), ...valuesOf(side, "works_at")];

const identifiersOf = ({ identifiers }: MergeSide): string[] => identifiers.map(identifierKey);

/** The kinds whose primary identifier lists show. */
export const shownKinds = ["email", "linkedin_url", "domain"] as const;

const rankOf = ({ preferredAt, createdAt }: IdentifierRank): number => (preferredAt ?? createdAt).getTime();

const byRank = (a: IdentifierRank, b: IdentifierRank): number => rankOf(b) - rankOf(a) || (a.id < b.id ? 1 : -1);

/** The primary identifiers of both records, of each kind that both have. */
export function primaries(ids: Readonly<Record<Side, string>>, all: readonly IdentifierRank[]) {
  const first = (id: string, kind: string) =>
    all.filter((one) => one.entityId === id && one.kind === kind).toSorted(byRank)[0];
  return shownKinds.flatMap((kind) => {
    const [keep, drop] = [first(ids.keep, kind), first(ids.drop, kind)];
    return keep && drop ? [{ kind, keep, drop }] : [];
  });
}

/**
 * The identifiers that a merge makes the primary ones: those of the record that stays, or of the other where that is chosen, when
 * they would not be so by themselves. Times as text, for a column.
 */
export const preferredBy = (
  both: ReturnType<typeof primaries>,
  fields: Readonly<Record<string, Side>>,
): { id: string; was: string | null; now: string }[] =>
  both.flatMap(({ kind, ...sides }) => {
    const [wanted, other] = fields[kind] === "drop" ? [sides.drop, sides.keep] : [sides.keep, sides.drop];
    if (byRank(wanted, other) < 0) return [];
    const now = new Date(rankOf(other) + 1).toISOString();
    return [{ id: wanted.id, was: wanted.preferredAt?.toISOString() ?? null, now }];
  });

/** What a suggested record has in common with the others, in words. */
export function detailOf(
  reason: Suggestion["reason"],
  { name, company, phone }: { name: string | null; company: string | null; phone: string | null },
): string {
  const named = name ?? "Unnamed";
  if (reason === "same_phone") return phone ?? named;
  if (reason === "same_company_name" || company === null) return named;
  return `${named} at ${company}${reason === "same_name_and_written_company" ? ", which is not linked" : ""}`;
}
