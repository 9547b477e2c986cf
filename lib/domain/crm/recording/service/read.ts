import type { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { leavesToPeople } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import { giveTurn } from "#lib/core/turns.ts";
import { beginAgain } from "#lib/db/locks.ts";
import { allowedProperties } from "#lib/domain/holding.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type EntityType,
  holdsIdentifiers,
  type Identifier,
  identifierKey,
  lockIdentifiers,
  meantBy,
  notFound,
  typeNamedBy,
} from "#lib/domain/records/entities/service.ts";
import {
  findEvidenceOn,
  findSaidByPeople,
  holdsEntities,
  lockEntities,
  sourceOf,
} from "#lib/domain/records/evidence/service.ts";
import { findErased } from "#lib/domain/records/tombstones/service.ts";
import { isOfImport } from "#lib/text/client-label.ts";
import { findOwnRules, findSubjects, look } from "../queries/world.ts";
import { type DraftResult, outcomeOf, type ReportResult } from "../rules/contact.ts";
import { Decision } from "../rules/decide.ts";
import { type StageRules, standardRules } from "../rules/stages.ts";
import {
  type About,
  keyOf,
  type Lookup,
  type Needs,
  pairOf,
  peopleNamed,
  type Reference,
  type Report,
  referencesOf,
  type World,
  whoOf,
} from "../rules/world.ts";

/** What a report names, with what the database has for each. */
export type ReportLookup = { references: readonly Reference[]; lookups: readonly Lookup[] };

export type DecidedBatch = { world: World; decision: Decision; results: (ReportResult | Fault)[] };

/** The rules that apply in this workspace. */
export async function readStageRules(ctx: Pick<Ctx, "db">): Promise<StageRules> {
  const own = await findOwnRules(ctx.db);
  return own ? { rules: own.rules, max_age_days: own.maxAgeDays } : standardRules;
}

/** The answer to the first thing that a report says, if it was recorded before. */
export function repeatSeen({ lookups: [first] }: ReportLookup): DraftResult | null {
  return first?.recorded
    ? outcomeOf(first.recorded, first.type === "person" ? (first.stage ?? "identified") : null)
    : null;
}

/** Looks up what reports name, without a lock, in the order given. */
export async function seeReports(db: Ctx["db"], reports: readonly Report[]): Promise<ReportLookup[]> {
  const named = reports.map(referencesOf);
  const references = [...new Map(named.flat().map((one) => [keyOf(one), one])).values()];
  const lookups = byKey(references, await look(db, references));
  return named.map((these) => ({
    references: these,
    lookups: these.map((one) => lookups.get(keyOf(one)) as Lookup),
  }));
}

/**
 * The entity that a write by a focus is about: one that exists, or the one that an unused identifier will name. Throws 400
 * `invalid_focus` and 404 `entity_not_found` (an id that is not the workspace's).
 */
export async function findMeant(
  ctx: Ctx,
  focus: string,
): Promise<{ about: About; type: EntityType; seen: ReportLookup }> {
  const who = meantBy(ctx, focus);
  const isNamed = "kind" in who;
  const [seen] = (await seeReports(ctx.db, [
    { about: isNamed ? { named: [who], type: "person", create: false } : who, drafts: [] },
  ])) as [ReportLookup];
  const [found] = seen.lookups as [Lookup];
  if (!isNamed) {
    if (found.id === null) throw notFound({ kind: "id", value: who.id });
    return { about: who, type: found.type, seen };
  }
  const type = found.id === null ? typeNamedBy(who.kind, who.value) : (found.type as "person" | "company");
  return { about: { named: [who], type, create: true }, type, seen };
}

/**
 * Reads what reports are about and decides what follows from them, until everything that the decision rests on was read under
 * its locks: identifiers that become someone's, then entities. `seen`: what was looked up a moment ago. `foreseen`: nothing will
 * be written, so nothing is locked.
 */
export async function readAndDecide(
  ctx: Ctx,
  reports: readonly Report[],
  { seen, foreseen = false }: { seen?: readonly ReportLookup[] | undefined; foreseen?: boolean } = {},
): Promise<DecidedBatch> {
  const references = new Map(reports.flatMap(referencesOf).map((one) => [keyOf(one), one]));
  let world = worldOf(ctx, seen ?? []);
  if (seen === undefined) world = await readMore(ctx, world, firstReads(world, reports, references));
  // An attempt that begins again has its locks from the start: they say nothing of what was seen before it.
  let isCurrent = seen === undefined;
  for (;;) {
    const { decision, results } = await decideAll(world, reports);
    const { needs } = decision;
    for (const [key, one] of needs.references) references.set(key, one);
    const names = [...needs.names.values()];
    const entities = [...needs.entities];
    const needsNone = names.length + entities.length === 0;
    const isHeld = needsNone || (isCurrent && holdsIdentifiers(ctx.db, names) && holdsEntities(ctx.db, entities));
    if (foreseen || isHeld) {
      const lacks = lacking(world, needs, references);
      if (lacks === null) return { world, decision, results };
      world = await readMore(ctx, world, lacks);
    } else {
      const all = { ...needs, references };
      const [, , more] = await together([
        lockIdentifiers(ctx.db, names),
        lockEntities(ctx.db, entities),
        readMore(ctx, worldOf(ctx, []), all),
      ]);
      world = more;
      isCurrent = true;
    }
  }
}

async function decideAll(world: World, reports: readonly Report[]) {
  const decision = new Decision(world);
  const results: (ReportResult | Fault)[] = [];
  for (const [place, report] of reports.entries()) {
    results.push(decision.take(report));
    await giveTurn(place);
  }
  return { decision, results };
}

type Reads = Pick<Needs, "references" | "evidence" | "subjects" | "erased" | "rules">;

/** What a decision needs in any case. */
const firstReads = ({ onPurpose }: World, reports: readonly Report[], references: Reads["references"]): Reads => ({
  ...{ references, evidence: new Map(), subjects: new Set(), rules: false },
  erased: new Map(onPurpose ? [] : reports.flatMap(peopleNamed).map((named) => [identifierKey(named), named])),
});

/** What a decision needs and the world has not; null: nothing. */
function lacking(world: World, needs: Needs, references: ReadonlyMap<string, Reference>): Reads | null {
  const lacks: Reads = {
    references: new Map([...references].filter(([key]) => !world.lookups.has(key))),
    evidence: new Map([...needs.evidence].filter(([key]) => !world.weighed.has(key))),
    subjects: new Set([...needs.subjects].filter((id) => !world.subjects.has(id))),
    erased: new Map([...needs.erased].filter(([key]) => !world.erased.has(key))),
    rules: needs.rules && world.rules === null,
  };
  const { size } = lacks.references;
  return size + lacks.evidence.size + lacks.subjects.size + lacks.erased.size > 0 || lacks.rules ? lacks : null;
}

const worldOf = (ctx: Ctx, seen: readonly ReportLookup[]): World => ({
  at: seen.find(({ lookups }) => lookups.length > 0)?.lookups[0]?.now ?? new Date(0),
  ...{ workspaceId: ctx.workspaceId, source: sourceOf(ctx), newId, rules: null },
  lookups: new Map(seen.flatMap(({ references, lookups }) => [...byKey(references, lookups)])),
  ...{ subjects: new Map(), erased: new Map(), evidence: new Map(), weighed: new Set<string>() },
  onPurpose: namesOnPurpose(ctx),
  peoplesWord: leavesToPeople(ctx) ? { said: new Set(), allowed: new Set() } : null,
});

/** No one chose the people that a webhook, a job or a file names. */
const namesOnPurpose = ({ actor, client }: Pick<Ctx, "actor" | "client">): boolean =>
  actor.type !== "webhook" && actor.type !== "job" && !isOfImport(client);

const byKey = (references: readonly Reference[], lookups: readonly Lookup[]): Map<string, Lookup> =>
  new Map(
    references.flatMap((one, place) => {
      const lookup = lookups[place] as Lookup;
      return [
        [whoOf(one.who), lookup],
        [keyOf(one), lookup],
      ] as const;
    }),
  );

/** The world with more of it. Everything is asked at once. */
async function readMore(
  ctx: Ctx,
  world: World,
  { references, evidence, subjects, erased, rules }: Reads,
): Promise<World> {
  const wanted = [...references.values()];
  const [lookups, moreEvidence, moreSubjects, moreErased, rulesNow, peoplesWord] = await together([
    look(ctx.db, wanted),
    findEvidence(ctx, evidence),
    findSubjects(ctx.db, [...subjects]),
    erased.size > 0 ? wereErased(ctx, erased) : [],
    rules ? readStageRules(ctx) : world.rules,
    world.peoplesWord && evidence.size > 0 ? hearPeople(ctx, world.peoplesWord, evidence) : world.peoplesWord,
  ]);
  // A workspace is deleted without locks on its records, and a dry run holds none.
  if (moreSubjects.size < subjects.size) beginAgain(ctx.db, "a record was deleted after it was looked up");
  return {
    ...world,
    at: lookups[0]?.now ?? world.at,
    rules: rulesNow,
    lookups: new Map([...world.lookups, ...byKey(wanted, lookups)]),
    evidence: new Map([...world.evidence, ...merged(world, moreEvidence)]),
    weighed: new Set([...world.weighed, ...pairsOf(evidence)]),
    subjects: new Map([...world.subjects, ...moreSubjects]),
    erased: new Map([...world.erased, ...moreErased]),
    peoplesWord,
  };
}

/** Which evidence on these properties people gave, and what the caller may set all the same. */
async function hearPeople(
  ctx: Ctx,
  { said }: NonNullable<World["peoplesWord"]>,
  wanted: Needs["evidence"],
): Promise<World["peoplesWord"]> {
  const all = [...wanted.values()];
  const properties = [...new Set(all.map(({ property }) => property))];
  const [ids, allowed] = await together([
    findSaidByPeople(ctx.db, [...new Set(all.flatMap(({ parts }) => parts))], properties),
    allowedProperties(ctx),
  ]);
  return { said: new Set([...said, ...ids]), allowed: new Set(allowed) };
}

/** All entities with all properties: that is what is asked. */
function pairsOf(wanted: Needs["evidence"]): string[] {
  const properties = new Set([...wanted.values()].map(({ property }) => property));
  return [...wanted.values()].flatMap(({ id, parts: [, ...absorbed] }) =>
    [...properties].map((property) => pairOf({ id, absorbed }, property)),
  );
}

type EvidenceByEntity = Awaited<ReturnType<typeof findEvidence>>;

/** Evidence with what was read before on other properties, in the order it was learned. */
const merged = ({ evidence }: World, more: EvidenceByEntity): EvidenceByEntity =>
  new Map([...more].map(([id, items]) => [id, [...(evidence.get(id) ?? []), ...items].sort((a, b) => a.seq - b.seq)]));

/** The evidence on properties of entities, by the entity that what was merged into it counts for. */
async function findEvidence(ctx: Ctx, wanted: Needs["evidence"]) {
  const owners = new Map([...wanted.values()].flatMap(({ id, parts }) => parts.map((part) => [part, id] as const)));
  if (owners.size === 0) return new Map<string, never[]>();
  const properties = new Set([...wanted.values()].map(({ property }) => property));
  const evidence = await findEvidenceOn(ctx.db, [...owners.keys()], [...properties]);
  return Map.groupBy(evidence, ({ entityId }) => owners.get(entityId) as string);
}

async function wereErased(ctx: Ctx, wanted: ReadonlyMap<string, Identifier>): Promise<[string, boolean][]> {
  const erased = new Set((await findErased(ctx, [...wanted.values()])).map(identifierKey));
  return [...wanted.keys()].map((key) => [key, erased.has(key)]);
}
