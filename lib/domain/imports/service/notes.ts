import { hash } from "node:crypto";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { foreseeEach, lockIdentifiers, type Resolved, resolveEach } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { noteTypes } from "#lib/domain/notes/contract.ts";
import { formatNoteDate, saveNoteOnce } from "#lib/domain/notes/service.ts";
import { type Attached, findTimes, foreseeRecorded, type Terms } from "#lib/domain/people/service.ts";
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
    if (!erased.has(`${named.kind} ${named.value}`)) return true;
    results[index] = wasErased;
    return false;
  });
  const wanted = read.map(({ given }) => {
    const { named } = given;
    const isCompany = named.kind === "domain" || named.value.includes("linkedin.com/company/");
    return { named: [named], type: isCompany ? ("company" as const) : ("person" as const), create: terms.create };
  });
  const owners = terms.dryRun ? await foreseeEach(ctx, wanted) : await resolveEach(ctx, wanted, { source: SOURCE });
  const known = owners.flatMap((owner) => (isFault(owner) || owner.created ? [] : [owner.id]));
  const times = terms.dryRun ? {} : await findTimes(ctx.db, { ids: known, renamed: [], named: [] });
  const touched = new Set<string>();
  const created = new Set<string>();
  const attached: Attached[] = [];
  for (const [place, { given, index, label, reasons }] of read.entries()) {
    const owner = owners[place] as Resolved | Fault;
    if (isFault(owner)) {
      results[index] = skipped(label, [...reasons, reasonOf(owner)]);
      continue;
    }
    const isNew = await keepNote(ctx, owner, given, terms.dryRun);
    if (isNew) touched.add(owner.id);
    if (owner.created) created.add(owner.id);
    attached.push(...owner.attached.map((item) => ({ ...item, entityId: owner.id })));
    const entityId = terms.dryRun && owner.created ? null : owner.id;
    results[index] = {
      outcome: isNew ? "created" : "unchanged",
      entityId,
      label,
      changes: isNew ? ["note"] : [],
      reasons,
    };
  }
  return { results, touched: [...touched], created: [...created], attached, times };
}

/** False when the record has the note already: the same words, title and day from an import. */
async function keepNote(
  ctx: Ctx,
  owner: Resolved,
  { content, title, date, type }: GivenNote,
  dryRun: boolean,
): Promise<boolean> {
  const day = date ? formatNoteDate(date) : "";
  const externalId = `csv:${hash("sha256", `${title ?? ""}\n${day}\n${content}`).slice(0, 32)}`;
  const kind = noteTypes.find((one) => one === type?.toLowerCase().replaceAll(/[\s-]+/g, "_")) ?? "note";
  if (!dryRun)
    return (await saveNoteOnce(ctx, owner, { content, type: kind, title, date, source: SOURCE, externalId })) !== null;
  if (owner.created) return true;
  const draft = {
    kind: "event",
    property: "note.saved",
    value: {},
    source: SOURCE,
    method: "asserted",
    observedAt: null,
    externalId,
  } as const;
  const [foreseen] = await foreseeRecorded(ctx, [{ entity: owner, drafts: [draft] }]);
  return foreseen?.recorded === 1;
}
