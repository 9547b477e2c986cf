import { findNamedMembers } from "#lib/auth/named-members.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { resolveForRead } from "#lib/domain/knowledge/contacts/service.ts";
import type { ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { findKnowing, type RelationshipRow } from "./queries.ts";
import { closenessOf, latestOf, strengthOf } from "./rules.ts";

export { closenessOf } from "./rules.ts";

export const getRelationships = implement(contract.getRelationships, async (ctx, { focus }) => {
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const known = await readKnowing(ctx, entity, new Date());
  const labels = await findLabels(
    ctx.db,
    known.map(({ closest }) => closest),
  );
  return {
    entity_id: entity.id,
    known_by: known.map((row) => viewOf(row, nameOf(labels.get(row.closest) ?? {}))),
  };
});

/** A member who knows someone, and how well. */
export type KnownBy = RelationshipRow & { name: string | null; email: string; strength: number; lastAt: Date };

/** Who knows a person or a company's people, as far as the caller may know, the strongest first. */
export async function readKnowing(ctx: Ctx, entity: ResolvedEntity, now: Date): Promise<KnownBy[]> {
  const { id, type } = entity;
  if (type === "workspace") return [];
  const rows = await findKnowing(ctx.db, ctx.viewer ?? null, { type, id });
  if (rows.length === 0) return [];
  const members = new Map((await findNamedMembers(ctx.db)).map((member) => [member.userId, member]));
  return rows
    .flatMap((row) => {
      const member = members.get(row.userId);
      if (!member) return [];
      const { name, email } = member;
      const lastAt = latestOf(row.lastSentAt, row.lastReceivedAt, row.lastMetAt);
      return { ...row, name, email, strength: strengthOf(row, now), lastAt };
    })
    .toSorted((a, b) => b.strength - a.strength || +b.lastAt - +a.lastAt || a.email.localeCompare(b.email));
}

const whenever = (time: Date | null): string | null => time && formatTime(time);

const viewOf = (row: KnownBy, closest: string): contract.Relationship => ({
  member: { user_id: row.userId, name: row.name, email: row.email },
  strength: row.strength,
  closeness: closenessOf(row.strength),
  sent: row.sent,
  received: row.received,
  replies: row.replies,
  meetings: row.meetings,
  last_at: formatTime(row.lastAt),
  last_sent_at: whenever(row.lastSentAt),
  last_received_at: whenever(row.lastReceivedAt),
  last_met_at: whenever(row.lastMetAt),
  people: row.people,
  closest: { entity_id: row.closest, name: closest },
});
