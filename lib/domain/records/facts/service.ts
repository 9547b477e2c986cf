import type { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { leavesToPeople } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import { LeftToPerson } from "#lib/domain/holding.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  type Draft,
  evidenceAt,
  FACT_PREFIX,
  type FactValue,
  factIdOf,
  findEvidence,
  findEvidenceByPrefix,
  findSaidByPeople,
  freshStateFrom,
  lockEntity,
  propertyOfFact,
  recordEvidence,
  type StoredEvidence,
  stateFrom,
} from "#lib/domain/records/evidence/service.ts";
import { fold } from "#lib/text/fold.ts";
import { formatTime } from "#lib/text/time.ts";
import { countTokens } from "#lib/text/tokens.ts";
import * as contract from "./contract.ts";
import {
  type FactState,
  findAuthors,
  findCategories,
  findCurrentFacts,
  findEntries,
  findFact,
  findPropertiesOfCategory,
  nameAuthors,
} from "./queries.ts";
import { renderProfile } from "./rules/profile-text.ts";
import { type Version, versionsOf } from "./rules/versions.ts";

export { renderProfile } from "./rules/profile-text.ts";

import { factOfClaim, factOfEvidence, factOfVersion } from "./serialize.ts";

export const listFacts = implement(contract.listFacts, async (ctx, input) => {
  const facts = await readFacts(ctx, { ...input, categories: await categoriesOf(ctx, input) });
  const counts = new Map<string, number>();
  for (const { category } of facts) counts.set(category, (counts.get(category) ?? 0) + 1);
  return { facts, count: facts.length, by_category: Object.fromEntries(counts) };
});

/** The categories to read, as they are written. Throws 400 for a section that the workspace does not have. */
async function categoriesOf(
  ctx: Ctx,
  { sections, categories }: z.output<typeof contract.listFacts.input>,
): Promise<string[] | undefined> {
  if (sections === undefined) return categories;
  const own = sections.every((name) => writtenAs(name, contract.sections)) ? [] : await findCategories(ctx.db);
  const all = [...new Set([...contract.sections, ...own])];
  const named = sections.map((name) => {
    const written = writtenAs(name, all);
    if (written !== undefined) return written;
    const message = `sections: there is no section ${name}; there are ${all.join(", ")}.`;
    throw new Fault("invalid_parameter", { parameter: "sections", allowed: all }, message);
  });
  return categories ? named.filter((name) => categories.includes(name)) : named;
}

const writtenAs = (name: string, all: readonly string[]): string | undefined =>
  all.find((one) => one === name) ?? all.find((one) => fold(one) === fold(name));

type Reading = { limit: number } & Partial<
  Pick<z.output<typeof contract.listFacts.input>, "categories" | "include_history" | "as_of" | "known_at">
>;

/** The facts of the profile at a moment, newest first, in the caller's transaction. */
export async function readFacts(ctx: Ctx, input: Reading): Promise<contract.FactVersion[]> {
  const { categories, limit, include_history = false, as_of = null, known_at = null } = input;
  const now = as_of ?? known_at ?? new Date();
  if (!include_history && !as_of && !known_at)
    return (await findCurrentFacts(ctx.db, limit, categories)).map((row) => factOfClaim(row, now));
  return (await readVersions(ctx, as_of, known_at))
    .filter(
      (version) => (include_history || !version.end) && (!categories || categories.includes(version.value.category)),
    )
    .slice(0, limit)
    .map((version) => factOfVersion(version, now, include_history));
}

/** Every wording of every fact at a moment, newest first, derived from the evidence. */
async function readVersions(ctx: Ctx, asOf: Date | null, knownAt: Date | null): Promise<Version[]> {
  const evidence = evidenceAt(await findEvidenceByPrefix(ctx.db, ctx.workspaceId, FACT_PREFIX), asOf, knownAt);
  const byProperty = Map.groupBy(evidence, (item) => item.property);
  const seqOf = new Map(evidence.map((item) => [item.id, item.seq]));
  return [...byProperty]
    .flatMap(([property, items]) => versionsOf(factIdOf(property), items))
    .sort((a, b) => (seqOf.get(b.belief.observationId) ?? 0) - (seqOf.get(a.belief.observationId) ?? 0));
}

export const listVersions = implement(contract.listVersions, async (ctx, { category, limit }) => {
  const now = new Date();
  const all = (await readVersions(ctx, null, null)).filter((version) => version.value.category === category);
  const page = all.slice(0, limit);
  const authors = await findAuthors(ctx.db, [...new Set(page.map((version) => version.belief.observationId))]);
  const versions = page.map((version) => {
    const { author = null, client = null } = authors.get(version.belief.observationId) ?? {};
    return { ...factOfVersion(version, now, true), author, client };
  });
  return { versions, has_more: all.length > page.length };
});

/** The most facts that are read at once. */
const MOST_FACTS = 500;

export const listEntries = implement(contract.listEntries, async (ctx, { limit }) => {
  const now = new Date();
  const rows = await findEntries(ctx.db, limit);
  const authors = await nameAuthors(ctx.db, rows);
  const entries = rows.map((row) => {
    const { author = null, client = null } = authors.get(row.observationId) ?? {};
    return { ...factOfClaim(row, now), author, client };
  });
  return { entries };
});

export const getAgentView = implement(contract.getAgentView, async (ctx) => {
  const now = new Date();
  const facts = (await findCurrentFacts(ctx.db, MOST_FACTS)).map((row) => factOfClaim(row, now));
  const text = renderProfile(facts);
  return { text, facts: facts.length, tokens: countTokens(text) };
});

/** Keeps one section current, in the caller's transaction. */
export function saveSection(ctx: Ctx, input: z.output<typeof contract.saveFact.input>) {
  const mode = input.mode ?? (input.section === "Notes" ? "append" : "replace");
  if (input.supersedes !== undefined)
    return replaceFact(ctx, input.supersedes.toLowerCase(), input.section, input.content, mode);
  return writeFact(
    ctx,
    input.section,
    input.content,
    mode,
    mode === "replace" ? (db) => findPropertiesOfCategory(db, input.section) : async () => [],
  );
}

/** Writes sections that have nothing current yet, from another source than the caller; returns how many. */
export async function fillSections(
  ctx: Ctx,
  source: string,
  sections: readonly { category: string; content: string }[],
): Promise<number> {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  const filled = new Set((await readFacts(ctx, { limit: MOST_FACTS })).map(({ category }) => category));
  const facts = sections
    .filter(({ category }) => !filled.has(category))
    .map((value) => {
      const id = newId();
      return { ...stateFrom(ctx, propertyOfFact(id), value), id, source };
    });
  if (facts.length > 0) await recordEvidence(ctx, at, facts, []);
  return facts.length;
}

/** The current facts of a source. */
export const factsOfSource = async (ctx: Ctx, source: string): Promise<contract.FactVersion[]> =>
  (await readFacts(ctx, { limit: MOST_FACTS })).filter((fact) => fact.source === source);

/** Ends the current facts of a source; returns how many. */
export async function retireFactsOfSource(ctx: Ctx, source: string): Promise<number> {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  const properties = (await factsOfSource(ctx, source)).map(({ id }) => propertyOfFact(id));
  if (properties.length === 0) return 0;
  const stored = await findEvidence(ctx.db, ctx.workspaceId, properties);
  const endings = properties.map((property) => ({ ...ending(ctx, at, property, stored), source }));
  await recordEvidence(ctx, at, endings, stored);
  return properties.length;
}

export const saveFact = implement(contract.saveFact, saveSection);

export const addEntry = implement(contract.addEntry, (ctx, { category, content }) =>
  writeFact(ctx, category, content, "append", async () => []),
);

export const editEntry = implement(contract.editEntry, async (ctx, { id, content, seen }) => {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  const current = await getCurrent(ctx, id);
  if (current.content !== seen) throw new Fault("fact_changed", { current_content: current.content });
  return supersede(ctx, at, [propertyOfFact(id)], current.category, content, "replace");
});

export const retireEntry = implement(contract.retireEntry, async (ctx, { id }) => {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  await getCurrent(ctx, id);
  const stored = await findEvidence(ctx.db, ctx.workspaceId, [propertyOfFact(id)]);
  await recordEvidence(ctx, at, [ending(ctx, at, propertyOfFact(id), stored)], stored);
  return { id, retired_at: formatTime(at) };
});

export const confirmEntry = implement(contract.confirmEntry, async (ctx, { id }) => {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  await getCurrent(ctx, id);
  const property = propertyOfFact(id);
  const stored = await findEvidence(ctx.db, ctx.workspaceId, [property]);
  const value = versionsOf(id, stored).at(-1)?.value;
  await recordEvidence(ctx, at, [freshStateFrom(ctx, property, value)], stored);
  return { id, last_observed_at: formatTime(at) };
});

export const restoreEntry = implement(contract.restoreEntry, async (ctx, { id, content }) => {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  const versions = versionsOf(id, await findEvidence(ctx.db, ctx.workspaceId, [propertyOfFact(id)]));
  const old = versions.find((version) => version.value.content === content);
  if (!old) throw new Fault("fact_not_found");
  const successor = await currentSuccessor(ctx, id);
  return supersede(ctx, at, successor ? [propertyOfFact(successor)] : [], old.value.category, content, "replace");
});

/** A new fact that replaces exactly one other. */
async function replaceFact(ctx: Ctx, id: string, category: string, content: string, mode: "replace" | "append") {
  const at = await lockEntity(ctx.db, ctx.workspaceId);
  await getCurrent(ctx, id);
  return supersede(ctx, at, [propertyOfFact(id)], category, content, mode);
}

/** A new fact that replaces those `findReplaced` returns once this is the only writer. */
async function writeFact(
  ctx: Ctx,
  category: string,
  content: string,
  mode: "replace" | "append",
  findReplaced: (db: Ctx["db"]) => Promise<string[]>,
) {
  const [at, replaced] = await together([lockEntity(ctx.db, ctx.workspaceId), findReplaced(ctx.db)]);
  return supersede(ctx, at, replaced, category, content, mode);
}

async function supersede(
  ctx: Ctx,
  at: Date,
  replaced: readonly string[],
  category: string,
  content: string,
  mode: "replace" | "append",
) {
  const stored = replaced.length > 0 ? await findEvidence(ctx.db, ctx.workspaceId, replaced) : [];
  if (leavesToPeople(ctx) && (await findSaidByPeople(ctx.db, [ctx.workspaceId], replaced)).length > 0)
    throw new LeftToPerson();
  const id = newId();
  const newest = stored.findLast((item) => item.value !== null)?.property;
  const value: FactValue = { category, content, ...(newest ? { supersedes: factIdOf(newest) } : {}) };
  const fact = { ...stateFrom(ctx, propertyOfFact(id), value), id };
  await recordEvidence(ctx, at, [fact, ...replaced.map((property) => ending(ctx, at, property, stored, id))], stored);
  return {
    fact: factOfEvidence({ ...fact, value, recordedAt: at }),
    section: category,
    mode,
    superseded: replaced.length > 0,
  };
}

/**
 * Evidence that a fact is no longer true. Never dated earlier than what it ends, even if that came from another clock.
 */
function ending(ctx: Ctx, at: Date, property: string, stored: readonly StoredEvidence[], causedBy?: string): Draft {
  const latest = stored
    .filter((item) => item.property === property)
    .reduce((max, item) => Math.max(max, item.observedAt.getTime()), 0);
  const observedAt = latest > at.getTime() ? new Date(latest) : null;
  return { ...freshStateFrom(ctx, property, null), observedAt, ...(causedBy ? { causedBy } : {}) };
}

/** The fact while it is current; throws 404 `fact_not_found` or 409 `fact_already_superseded` with what replaced it. */
async function getCurrent(ctx: Ctx, id: string): Promise<FactState> {
  const fact = await findFact(ctx.db, id);
  if (!fact) throw new Fault("fact_not_found");
  if (fact.ended) throw new Fault("fact_already_superseded", { current_id: await currentSuccessor(ctx, id) });
  return fact;
}

/** Follows the chain of replacements to the current fact; null when the last of them was retired. */
async function currentSuccessor(ctx: Ctx, id: string): Promise<string | null> {
  for (
    let fact = await findFact(ctx.db, id);
    fact;
    fact = fact.supersededBy ? await findFact(ctx.db, fact.supersededBy) : null
  ) {
    if (!fact.ended) return fact.id;
  }
  return null;
}
