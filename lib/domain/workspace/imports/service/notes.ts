import { hash } from "node:crypto";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { type Attached, findTimes, type Terms } from "#lib/domain/crm/people/service.ts";
import { type About, countNew, foresee, type Told } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { noteTypes } from "#lib/domain/knowledge/notes/contract.ts";
import { formatNoteDate, saveNoteOnce } from "#lib/domain/knowledge/notes/service.ts";
import { identifierKey, lockIdentifiers } from "#lib/domain/records/entities/service.ts";
import { type Draft, lockEntities } from "#lib/domain/records/evidence/service.ts";
import type { GivenNote } from "../rules/rows.ts";
import { erasedAmong } from "./hooks.ts";
import type { Imported } from "./imported.ts";
import { type Prepared, SOURCE, skipped } from "./prepare.ts";
import { reasonOf, wasErased } from "./reasons.ts";

/** Rows that are notes, each about a person or company. */
export async function importNotes(
  ctx: Ctx,
  prepared: Prepared & { kind: "note" },
  terms: Terms,
  held: () => void,
): Promise<Imported> {
  const results = [...prepared.results];
  const names = prepared.rows.map(({ given }) => given.named);
  if (!terms.dryRun) await lockIdentifiers(ctx.db, names);
  held();
  const erased = await erasedAmong(ctx, names);
  const read = prepared.rows.filter(({ given: { named }, index }) => {
    if (!erased.has(identifierKey(named))) return true;
    results[index] = wasErased;
    return false;
  });
  const foreseen = await foresee(
    ctx,
    read.map(({ given }) => ({ about: aboutOf(given, terms), said: [foreseenNote(given)] })),
  );
  const known = foreseen.flatMap((told) => (isFault(told) || told.entity.created ? [] : [told.entity.id]));
  // All at once, in order: each note below would lock its own.
  const [times] = terms.dryRun
    ? [{}]
    : await together([findTimes(ctx.db, { ids: known, renamed: [], movers: [] }), lockEntities(ctx.db, known)]);
  const touched = new Set<string>();
  const created = new Set<string>();
  const attached: Attached[] = [];
  for (const [place, { given, index, label, reasons }] of read.entries()) {
    const told = terms.dryRun ? (foreseen[place] as Told | Fault) : await keepNote(ctx, given, terms);
    if (isFault(told)) {
      results[index] = skipped(label, [...reasons, reasonOf(told)]);
      continue;
    }
    const { entity } = told;
    const isNew = countNew(told) > 0;
    if (isNew) touched.add(entity.id);
    if (entity.created) created.add(entity.id);
    attached.push(...entity.attached.map((item) => ({ ...item, entityId: entity.id })));
    results[index] = {
      outcome: isNew ? "created" : "unchanged",
      entityId: terms.dryRun && entity.created ? null : entity.id,
      label,
      changes: isNew ? ["note"] : [],
      reasons,
    };
  }
  return { results, touched: [...touched], created: [...created], attached, times };
}

function aboutOf({ named }: GivenNote, { create }: Terms): About {
  const isCompany = named.kind === "domain" || named.value.includes("linkedin.com/company/");
  return { named: [named], type: isCompany ? "company" : "person", create };
}

/** The same words, title and day from an import are the same note. */
function externalIdOf({ content, title, date }: GivenNote): string {
  const day = date ? formatNoteDate(date) : "";
  return `csv:${hash("sha256", `${title ?? ""}\n${day}\n${content}`).slice(0, 32)}`;
}

const foreseenNote = (given: GivenNote): Draft => ({
  ...{ kind: "event", property: "note.saved", value: {}, source: SOURCE, method: "asserted", observedAt: null },
  externalId: externalIdOf(given),
});

/** Keeps a note, unless the record has it already. */
async function keepNote(ctx: Ctx, given: GivenNote, terms: Terms): Promise<Told | Fault> {
  const { content, title, date } = given;
  const type = noteTypes.find((one) => one === given.type?.toLowerCase().replaceAll(/[\s-]+/g, "_")) ?? "note";
  const note = { content, type, title, date, source: SOURCE, externalId: externalIdOf(given) };
  try {
    return (await saveNoteOnce(ctx, aboutOf(given, terms), note)).told;
  } catch (error) {
    if (isFault(error)) return error; // nothing was written
    throw error;
  }
}
