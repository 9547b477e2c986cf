import { isFault } from "#lib/core/errors.ts";
import { companyDomainOf, type foreseeEach, type Resolved } from "#lib/domain/entities/service.ts";
import { type Draft, sourceOf } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";

/**
 * Drafts about one entity. `source`: the source of what is derived from them automatically; default: that of the
 * drafts.
 */
export type Said = { entity: Resolved; drafts: readonly Draft[]; source?: string };

/** The drafts about an entity, preceded by those that follow from them automatically. */
export type Full = { entity: Resolved; implied: number; drafts: readonly Draft[] };

export function fullOf(ctx: Ctx, item: Said, employers: ReadonlyMap<string, string>): Full {
  const implied = [...originOf(ctx, item), ...worksAtOf(ctx, item, employers)];
  return { entity: item.entity, implied: implied.length, drafts: [...implied, ...item.drafts] };
}

/** The source of what is derived automatically. */
const sourceBehind = (ctx: Ctx, { drafts, source }: Said): string => source ?? drafts[0]?.source ?? sourceOf(ctx);

/** Where a new entity came from, unless a draft says so itself. */
function originOf(ctx: Ctx, said: Said): Draft[] {
  const { entity, drafts } = said;
  if (!entity.created || drafts.some((draft) => draft.property === "source" && draft.kind === "state")) return [];
  const source = sourceBehind(ctx, said);
  return [state("source", source, source, "observed")];
}

/** The domain of the business e-mail a person was just given; null when none says where they work, or a draft does. */
function newDomainOf({ entity, drafts }: Said): string | null {
  if (entity.type !== "person" || drafts.some((draft) => draft.property === "works_at")) return null;
  const emails = entity.attached.filter(({ kind }) => kind === "email");
  return emails.map(({ value }) => companyDomainOf(value)).find((domain) => domain !== null) ?? null;
}

/** The companies that new business e-mails name, by domain; unknown ones are created, with drafts about them. */
export async function findEmployersOf(ctx: Ctx, said: readonly Said[], resolve: typeof foreseeEach) {
  const firstOf = new Map<string, Said>();
  for (const item of said) {
    const domain = newDomainOf(item);
    if (domain !== null && !firstOf.has(domain)) firstOf.set(domain, item);
  }
  const employers = new Map<string, string>();
  const founded: Full[] = [];
  const wanted = [...firstOf.keys()].map((value) => ({ named: [{ kind: "domain", value }], type: "company" }) as const);
  const companies = await resolve(ctx, wanted);
  for (const [index, [domain, by]] of [...firstOf].entries()) {
    const company = companies[index];
    if (isFault(company)) throw company;
    if (!company) throw new Error("a company was not resolved");
    employers.set(domain, company.id);
    const source = sourceBehind(ctx, by);
    if (company.created)
      founded.push({ entity: company, implied: 1, drafts: [state("source", source, source, "observed")] });
  }
  return { employers, founded };
}

function worksAtOf(ctx: Ctx, said: Said, employers: ReadonlyMap<string, string>): Draft[] {
  const company = employers.get(newDomainOf(said) ?? "");
  return company === undefined ? [] : [state("works_at", company, sourceBehind(ctx, said), "inferred")];
}

const state = (property: string, value: string, source: string, method: Draft["method"]): Draft => ({
  kind: "state",
  property,
  value,
  source,
  method,
  observedAt: null,
});
