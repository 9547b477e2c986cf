import { newId } from "#lib/core/ids.ts";
import {
  claimsOf,
  type Evidence,
  findEvidenceOn,
  type NewClaim,
  type NewEvidence,
} from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Stage } from "../rules/fields.ts";

const STAGE = "pipeline_stage";

/**
 * A stage that an activity caused. It is asserted, like a stage set by hand: the later of the two counts, and neither
 * blocks the other.
 */
export const stageMove = (at: Date, entityId: string, source: string, causedBy: string, stage: Stage): NewEvidence => ({
  id: newId(),
  entityId,
  kind: "state",
  property: STAGE,
  value: stage,
  source,
  method: "asserted",
  observedAt: at,
  recordedAt: at,
  externalId: null,
  causedBy,
});

/** A person whose stage moved. `known`: may have evidence from before. */
export type Mover = { id: string; absorbed: readonly string[]; known: boolean };

/**
 * New evidence with its stage moves dated, and the beliefs that follow from those, each from all evidence there is: a
 * move is never dated earlier than what it moves from, by any clock. The caller holds these people's locks.
 */
export async function deriveMoves(
  ctx: Ctx,
  movers: readonly Mover[],
  evidence: readonly NewEvidence[],
): Promise<{ evidence: readonly NewEvidence[]; claims: NewClaim[]; seqOf: Map<string, number> }> {
  if (movers.length === 0) return { evidence, claims: [], seqOf: new Map() };
  const owners = new Map(movers.flatMap(({ id, absorbed }) => [id, ...absorbed].map((part) => [part, id] as const)));
  const asked = movers.flatMap(({ id, absorbed, known }) => (known ? [id, ...absorbed] : []));
  const before = asked.length > 0 ? await findEvidenceOn(ctx.db, asked, [STAGE]) : [];
  const byOwner = (moves: readonly NewEvidence[]) =>
    Map.groupBy<string | undefined, Evidence & { entityId: string }>([...before, ...moves], ({ entityId }) =>
      owners.get(entityId),
    );
  const undated = byOwner(evidence.filter(isMove));
  const dated = evidence.map((item) =>
    isMove(item) ? { ...item, observedAt: latestOf(undated.get(item.entityId) ?? [item]) } : item,
  );
  const ofOwner = byOwner(dated.filter(isMove));
  return {
    evidence: dated,
    claims: movers.flatMap(({ id }) => claimsOf(id, STAGE, ofOwner.get(id) ?? [])),
    seqOf: new Map(before.map(({ id, seq }) => [id, seq])),
  };
}

const isMove = ({ property }: NewEvidence): boolean => property === STAGE;

const latestOf = (evidence: readonly Evidence[]): Date =>
  new Date(Math.max(...evidence.map(({ observedAt }) => observedAt.getTime())));
