import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { holdEntities, recordOne } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findIdentifiersOf, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { deriveBelief, freshStateFrom, type StoredEvidence } from "#lib/domain/records/evidence/service.ts";
import { formatMinute } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { findClaim } from "../queries/account.ts";
import { type Assessment, assess, type Claim, verdictOf } from "../rules/claims.ts";
import { identifierKinds, propertyOfIdentifier } from "../rules/identifiers.ts";
import { viewOfAssessment, viewOfEvidence } from "../serialize.ts";
import { newestFirst, readStates } from "./read.ts";
import { resolveForRead } from "./resolve.ts";

const MOST_EVIDENCE = 50;

export const verifyClaim = implement(contract.verifyClaim, async (ctx, { focus, property, confirm }) => {
  const { entity: found, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const entity = confirm ? await hold(ctx, found) : found;
  const before = await examine(ctx, entity, property);
  if (confirm) await confirmValue(ctx, entity, before);
  const after = confirm ? await examine(ctx, entity, property) : before;
  return {
    entity_id: entity.id,
    property,
    before: viewOfAssessment(before.kept),
    after: viewOfAssessment(after.derived),
    note: after.note,
    evidence: newestFirst(after.states)
      .slice(0, MOST_EVIDENCE)
      .map((item) => ({ ...viewOfEvidence(item), supports: after.supporting.has(item.id) })),
  };
});

/** Locked, and what it was merged into if that happened meanwhile: the value that is confirmed must be the one believed. */
async function hold(ctx: Ctx, entity: ResolvedEntity): Promise<ResolvedEntity> {
  const now = (await holdEntities(ctx, [entity.id])).get(entity.id);
  return { ...entity, ...now, created: false, attached: [] };
}

/** What is known of one property. `kept`: as it is stored; `derived`: again from all evidence. */
type PropertyExam = {
  /** what the evidence is kept under */
  property: string;
  value: unknown;
  kept: Assessment;
  derived: Assessment;
  note: string;
  states: readonly StoredEvidence[];
  supporting: ReadonlySet<string>;
};

/** Throws 404 `claim_not_found` when nothing was ever known of it. */
async function examine(ctx: Ctx, entity: ResolvedEntity, asked: string): Promise<PropertyExam> {
  const current = await findGiven(ctx, entity, asked);
  const property = current?.isIdentifier ? propertyOfIdentifier(asked) : asked;
  const [claim, states] = await together([findClaim(ctx.db, entity.id, property), readStates(ctx, entity, property)]);
  const belief = deriveBelief(states);
  const now = new Date();
  const isOfGiven = !current?.isIdentifier || belief?.value === current.value;
  if (claim && belief && isOfGiven) {
    return {
      property,
      value: belief.ended ? null : belief.value,
      kept: assess(claim, claim.ended, now),
      derived: assess(belief, belief.ended !== null, now),
      note: verdictOf(belief, now),
      states,
      supporting: new Set(belief.ended ? [belief.ended.by] : belief.support),
    };
  }
  if (!current) throw new Fault("claim_not_found");
  const assessed = assess({ ...current, sourceCount: 1, conflicts: [] }, false, now);
  const { value, note } = current;
  return { property, value, kept: assessed, derived: assessed, note, states: [], supporting: new Set() };
}

type CurrentValue = Pick<Claim, "value" | "method" | "lastObservedAt"> & { isIdentifier: boolean; note: string };

/** What an entity has without evidence: its identifiers, and the stage that everyone begins with. */
async function findGiven(ctx: Ctx, entity: ResolvedEntity, property: string): Promise<CurrentValue | null> {
  if (property === "pipeline_stage" && entity.type === "person") {
    const note = "Nothing has moved the stage yet: everyone begins as identified.";
    return { value: "identified", method: "observed", lastObservedAt: entity.createdAt, isIdentifier: false, note };
  }
  if (!identifierKinds.includes(property)) return null;
  const identifiers = await findIdentifiersOf(ctx.db, [entity.id]);
  const latest = identifiers.find(({ kind }) => kind === property);
  if (!latest) return null;
  const { value, createdAt } = latest;
  const note = `The record has had it since ${formatMinute(createdAt)}. No one has confirmed it.`;
  return { value, method: "observed", lastObservedAt: createdAt, isIdentifier: true, note };
}

/** Records that the value was checked now. */
async function confirmValue(ctx: Ctx, entity: ResolvedEntity, { property, value }: PropertyExam): Promise<void> {
  await recordOne(ctx, { about: { id: entity.id }, drafts: [freshStateFrom(ctx, property, value)] });
}
