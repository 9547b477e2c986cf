import type { Ctx } from "#lib/domain/implement.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { deleteMeetings } from "../queries/keeping.ts";
import { deleteCopiesBut, findMeetingsOf } from "../queries/sharing.ts";
import { resettling } from "./settle.ts";
import { tellMeetings } from "./tell.ts";

/** People were merged or told apart: what was chosen for one of them counts for other meetings now. */
export async function settleMergedMeetings({ db }: Pick<Ctx, "db">, entityId: string): Promise<void> {
  await enqueue(db, resettling, { entity_id: entityId });
}

/** Removes the meetings of people who are being erased. */
export async function forgetMeetings({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  await deleteMeetings(db, await findMeetingsOf(db, entities));
}

/** Removes what came from calendars that are not read any more, but for those with these addresses. The caller holds the mail. */
export async function dropCollections(ctx: Ctx, calendarId: string, urls: readonly string[]): Promise<void> {
  await tellMeetings(ctx, await deleteCopiesBut(ctx.db, calendarId, urls));
}
