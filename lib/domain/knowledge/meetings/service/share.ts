import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { countRelationships, holdMail, memberOf, setApart } from "#lib/domain/knowledge/messages/service.ts";
import { leastOpen, type ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { findEmailsEver } from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import { deleteMeetings } from "../queries/keeping.ts";
import { deleteCopiesBut, findCalendarLevels, findMeetingsOf, findMetIn, findNaming } from "../queries/sharing.ts";
import { meetingShown } from "./read.ts";
import { changeMeetingLevels, resettling, settleMeetingsNow } from "./settle.ts";
import { tellMeetings } from "./tell.ts";

/** People were merged or told apart: what was chosen for one of them counts for other meetings now. */
export async function settleMergedMeetings({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  for (const entity_id of entities) await enqueue(db, resettling, { entity_id });
}

/** The most that going back to what the calendar says may show before the job has worked it out: whichever of theirs it is. */
export const leastOfCalendars = async ({ db }: Pick<Ctx, "db">, userId: string): Promise<ShareLevel> =>
  leastOpen(["everything", ...(await findCalendarLevels(db, userId))]);

/**
 * Removes the meetings of people who are being erased; the next look at the calendar brings back those with others, without them. The
 * caller holds the mail.
 */
export async function forgetMeetings({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  const named = await findNaming(db, await findEmailsEver(db, entities));
  const meetings = [...(await findMeetingsOf(db, entities)), ...named];
  const met = await findMetIn(db, meetings);
  await deleteMeetings(db, meetings);
  await countRelationships(db, met);
}

/** Removes what came from calendars that are not read any more, except those with these addresses. The caller holds the mail. */
export async function dropCollections(ctx: Ctx, calendarId: string, urls: readonly string[]): Promise<void> {
  await tellMeetings(ctx, await deleteCopiesBut(ctx.db, calendarId, urls));
}

export const shareMeeting = implement(
  contract.shareMeeting,
  async (ctx, { id, share }) => {
    const userId = memberOf(ctx);
    const meeting = await meetingShown(ctx, id);
    if (!meeting.mine) throw new Fault("meeting_not_found", {}, "None of your calendars has this meeting.");
    await holdMail(ctx);
    await setApart(ctx.db, userId, [id], share);
    const most = share ?? (await leastOfCalendars(ctx, userId));
    await changeMeetingLevels(ctx, { of: "meeting", userId, meetingId: id }, most);
    return { meeting };
  },
  {
    async after(caller, _output, { id }) {
      await settleMeetingsNow(caller);
      const shown = (db: Ctx["db"]) => meetingShown({ ...caller, db }, id);
      return { meeting: await withWorkspace(caller.workspaceId, shown, { readOnly: true }) };
    },
  },
);
