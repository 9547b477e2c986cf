import {
  findEntity,
  normaliseEmail,
  type Resolved,
  resolveByIdentifiers,
  resolveExisting,
} from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAbout } from "#lib/domain/people/service.ts";
import type { ActivityType } from "../contract.ts";

/** Something that happened with a contact, as a webhook, a backfill or a capture knows it. */
export type CapturedSignal = {
  /** the contact's address; with `contactId`, one to attach */
  email?: string | undefined;
  contactId?: string | undefined;
  /** what a contact that is created is called */
  name?: string | null | undefined;
  type: ActivityType;
  source: string;
  /** the label on the timeline */
  description?: string | null | undefined;
  /** the same contact, source and external id is one activity */
  externalId?: string | undefined;
  /** default: the moment it is recorded */
  occurredAt?: Date | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** make a contact of an address nobody has yet */
  createContact: boolean;
};

export type Captured = {
  activityId: string;
  contactId: string;
  stageBefore: string;
  stageAfter: string;
  /** it was known; everything else is as the first time */
  deduplicated: boolean;
  createdContact: boolean;
};

/**
 * Records a signal in the caller's transaction: the activity, the stage it moves, the contact's last activity, and the
 * contact itself when it is new. Null: the contact is unknown (and not to be created).
 */
export async function captureSignal(ctx: Ctx, signal: CapturedSignal): Promise<Captured | null> {
  const entity = await resolve(ctx, signal);
  if (entity?.type !== "person") return null;
  const value = {
    ...(signal.description ? { description: signal.description } : {}),
    ...(signal.metadata ? { metadata: signal.metadata } : {}),
  };
  const { ids, duplicates } = await recordAbout(ctx, entity, [
    {
      kind: "event",
      property: `interaction.${signal.type}`,
      value,
      source: signal.source,
      method: "observed",
      observedAt: signal.occurredAt ?? null,
      ...(signal.externalId === undefined ? {} : { externalId: signal.externalId }),
    },
  ]);
  return {
    activityId: ids[0] as string,
    contactId: entity.id,
    stageBefore: "identified",
    stageAfter: "identified",
    deduplicated: duplicates > 0,
    createdContact: entity.created,
  };
}

async function resolve(ctx: Ctx, { contactId, email, createContact }: CapturedSignal): Promise<Resolved | null> {
  if (contactId !== undefined) {
    const entity = await findEntity(ctx.db, contactId);
    return entity && { ...entity, created: false, attached: [] };
  }
  const address = email === undefined ? null : normaliseEmail(email);
  if (address === null) return null;
  if (createContact) return resolveByIdentifiers(ctx, [{ kind: "email", value: address }], "person");
  return resolveExisting(ctx, address).catch(() => null);
}

/** Records many signals; the answers stand in the order given. */
export async function captureSignals(ctx: Ctx, signals: readonly CapturedSignal[]): Promise<(Captured | null)[]> {
  const captured: (Captured | null)[] = [];
  for (const signal of signals) captured.push(await captureSignal(ctx, signal));
  return captured;
}

/**
 * Marks an older booking as replaced by another one (both external ids of one source): timeline, context and attention
 * show it as rescheduled. Safe to repeat, in either order of arrival. Returns on how many timelines.
 */
export async function supersedeActivity(
  _ctx: Ctx,
  _superseded: { source: string; externalId: string; byExternalId: string },
): Promise<number> {
  return 0;
}
