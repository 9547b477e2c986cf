/** What members share of their mail and their meetings alike. */
import { Fault } from "#lib/core/errors.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  changeMeetingLevels,
  countSharedBy as countMeetings,
  leastOfCalendars,
  leaveCalendars,
  settleMeetingsNow,
} from "#lib/domain/knowledge/meetings/service.ts";
import {
  changeLevels,
  countSharedBy as countMessages,
  findApart,
  holdMail,
  leastOfMailboxes,
  leaveMailboxes,
  memberOf,
  setApart,
  setCeiling,
  settleNow,
} from "#lib/domain/knowledge/messages/service.ts";
import { leastOpen } from "#lib/domain/knowledge/messages/words.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { type EntityRow, evidenceIds, findEntity } from "#lib/domain/records/entities/service.ts";
import * as contract from "./contract.ts";

export const shareMailOf = implement(
  contract.shareMailOf,
  async (ctx, { entity_id: id, share }) => {
    const userId = memberOf(ctx);
    await holdMail(ctx);
    const person = await requirePerson(ctx, id);
    const entities = evidenceIds(person);
    await setApart(ctx.db, userId, entities, share);
    const whose = { of: "people", userId, entities } as const;
    const messages = await changeLevels(ctx, whose, share ?? (await leastOfMailboxes(ctx, userId)));
    const meetings = await changeMeetingLevels(ctx, whose, share ?? (await leastOfCalendars(ctx, userId)));
    return { entity_id: person.id, share, messages: messages + meetings };
  },
  {
    async after(caller, output) {
      await settleNow(caller);
      await settleMeetingsNow(caller);
      return output;
    },
  },
);

export const getMailShare = implement(contract.getMailShare, async (ctx, { entity_id: id }) => {
  const apart = await findApart(ctx.db, memberOf(ctx));
  const person = await requirePerson(ctx, id);
  const levels = evidenceIds(person).flatMap((one) => apart.get(one) ?? []);
  return { entity_id: person.id, share: levels.length > 0 ? leastOpen(levels) : null };
});

async function requirePerson(ctx: Ctx, id: string): Promise<EntityRow> {
  const entity = await findEntity(ctx.db, id);
  if (entity?.type !== "person") throw new Fault("entity_not_found");
  return entity;
}

export const setMailCeiling = implement(contract.setMailCeiling, async (ctx, { share }) => {
  await holdMail(ctx);
  await setCeiling(ctx.db, share);
  await changeLevels(ctx, { of: "everyone" }, share);
  await changeMeetingLevels(ctx, { of: "everyone" }, share);
  await recordAudit(ctx, "mail.ceiling_set", ctx.workspaceId, { share });
  return { share };
});

/** How many of the messages and meetings that came through a member's mailboxes and calendars everyone sees. */
export const countSharedBy = async ({ db }: Pick<Ctx, "db">, userId: string) => ({
  messages: await countMessages(db, userId),
  meetings: await countMeetings(db, userId),
});

/**
 * Removes what came through the mailboxes and calendars of a member: nothing of it is shown from now on, and jobs take it away. What came to
 * their log address stays: it was sent to the workspace. The caller holds the mail.
 */
export async function removeSharedBy(ctx: Ctx, userId: string): Promise<void> {
  for (const mailboxId of await leaveMailboxes(ctx.db, userId))
    await changeLevels(ctx, { of: "leaving mailbox", mailboxId }, "nothing");
  for (const calendarId of await leaveCalendars(ctx.db, userId))
    await changeMeetingLevels(ctx, { of: "calendar", calendarId }, "nothing");
}
