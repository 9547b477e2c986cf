import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { captureSignals, supersedeActivity } from "#lib/domain/crm/activities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  type BookingConnection,
  findBookingConnection,
  noteTrouble,
  noteWell,
  ownAddresses,
  tellChanged,
} from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { type ListedBooking, listBookings } from "#lib/providers/cal-com/client.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import * as contract from "../contract.ts";
import {
  type BackfillRow,
  type ContactRow,
  findBackfill,
  findBackfills,
  findBackfillToChange,
  findContacts,
  findRunningOfEveryone,
  insertBackfill,
  type LookupResult,
  lockBackfills,
  markLookedUp,
  setState,
} from "../queries.ts";
import { attends, BOOKING_SOURCE, bookingOf, readBooking } from "../rules.ts";
import { backfillOf, contactOf } from "../serialize.ts";
import { takeTurn } from "./pace.ts";

const backfilling = jobKind("bookings:backfill", {
  label: "Look for past bookings",
  ids: ["backfill_id"],
  queue: "bookings",
  once: true,
});

export const startBackfill = implement(contract.startBackfill, async (ctx, { contact_ids = null }) => ({
  backfill: backfillOf(await beginBackfill(ctx, contact_ids)),
}));

/**
 * Queues a search for the past bookings of these contacts, or of everyone (null). Throws 404 `not_connected` without a
 * booking provider, 409 `backfill_running` while one of everyone is running.
 */
export async function beginBackfill(ctx: Ctx, contactIds: readonly string[] | null): Promise<BackfillRow> {
  if (!(await findBookingConnection(ctx))) throw new Fault("not_connected", { provider: BOOKING_SOURCE });
  if (contactIds === null) {
    await lockBackfills(ctx.db);
    const running = await findRunningOfEveryone(ctx.db);
    if (running) throw new Fault("backfill_running", { backfill_id: running });
  }
  const id = newId();
  await insertBackfill(ctx.db, id, contactIds, nameOfActor(ctx));
  await enqueue(ctx.db, backfilling, { backfill_id: id });
  tellChanged(ctx);
  const row = await requireBackfill(ctx, id);
  await recordAudit(ctx, "backfill.started", id, { contacts: row.total });
  return row;
}

export const listBackfills = implement(contract.listBackfills, async ({ db }, { limit }) => ({
  backfills: (await findBackfills(db, limit)).map(backfillOf),
}));

export const listBackfillContacts = implement(contract.listBackfillContacts, async (ctx, { id, limit, offset }) => {
  await requireBackfill(ctx, id);
  const rows = await findContacts(ctx.db, id, offset, limit + 1);
  return { contacts: rows.slice(0, limit).map(contactOf), has_more: rows.length > limit };
});

export const cancelBackfill = implement(contract.cancelBackfill, async (ctx, { id }) => {
  const row = await findBackfillToChange(ctx.db, id);
  if (!row) throw new Fault("backfill_not_found");
  if (row.state !== "done" && row.state !== "cancelled") await changeState(ctx, id, "cancelled", null);
  return { backfill: backfillOf(await requireBackfill(ctx, id)) };
});

export const resumeBackfill = implement(contract.resumeBackfill, async (ctx, { id }) => {
  const row = await findBackfillToChange(ctx.db, id);
  if (!row) throw new Fault("backfill_not_found");
  if (!(await findBookingConnection(ctx))) throw new Fault("not_connected", { provider: BOOKING_SOURCE });
  if (row.state === "failed" || row.state === "cancelled") {
    await changeState(ctx, id, "queued", null);
    await enqueue(ctx.db, backfilling, { backfill_id: id });
  }
  return { backfill: backfillOf(await requireBackfill(ctx, id)) };
});

/** Moves a backfill on, and updates its card on open pages. */
async function changeState(ctx: Ctx, ...change: [id: string, state: BackfillRow["state"], message: string | null]) {
  await setState(ctx.db, ...change);
  tellChanged(ctx);
}

async function requireBackfill({ db }: Pick<Ctx, "db">, id: string): Promise<BackfillRow> {
  const row = await findBackfill(db, id);
  if (!row) throw new Fault("backfill_not_found");
  return row;
}

/** Looks up contact by contact. What was found for one is stored in the transaction that moves on to the next. */
export const runBackfill = resumable(backfilling, {
  turnMs: 5_000,
  begin({ caller, last }, { backfill_id: id }) {
    const inside = insideOf(caller);
    return async () => {
      const next = await inside((ctx) => findNext(ctx, id));
      if (!next) return "done";
      try {
        const bookings = await bookingsOf(next.connection, next.contact.email);
        await inside((ctx) => keepFound(ctx, id, next.contact, bookings));
        return "more";
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error;
        const left = await inside((ctx) => afterTrouble(ctx, id, next, error, last));
        if (left instanceof Error) throw left;
        return left;
      }
    };
  },
});

type Next = { connection: BookingConnection; contact: ContactRow };

/** The next contact; null when the backfill is over, which is then marked as finished. */
async function findNext(ctx: Ctx, id: string): Promise<Next | null> {
  const row = await findBackfillToChange(ctx.db, id);
  if (!row || row.state === "cancelled" || row.state === "done" || row.state === "failed") return null;
  const connection = await findBookingConnection(ctx);
  if (!connection) {
    await changeState(ctx, id, "failed", "The booking provider was disconnected. Connect it again, then resume.");
    return null;
  }
  const [contact] = await findContacts(ctx.db, id, row.position, 1);
  if (!contact) await changeState(ctx, id, "done", null);
  return contact ? { connection, contact } : null;
}

async function bookingsOf(connection: BookingConnection, email: string): Promise<ListedBooking[]> {
  const pageBookings: ListedBooking[] = [];
  await takeTurn(connection.connectionId);
  for await (const { bookings } of listBookings(connection.portal, { attendeeEmail: email })) {
    pageBookings.push(...bookings);
    await takeTurn(connection.connectionId); // before the next page, or the next contact
  }
  return pageBookings;
}

async function keepFound(ctx: Ctx, id: string, contact: ContactRow, bookings: readonly ListedBooking[]): Promise<void> {
  const row = await findBackfillToChange(ctx.db, id);
  if (!row || row.position > contact.place) return; // another run of this job was faster
  const own = await ownAddresses(ctx, BOOKING_SOURCE);
  const theirs = bookings.map(bookingOf).filter((booking) => attends(booking, contact.email));
  const read = theirs.map((booking) => readBooking(booking, own));
  const signals = read.flatMap((reading) => reading.signals.filter(({ email }) => email === contact.email));
  const captured = await captureSignals(
    ctx,
    signals.map((signal) => ({ ...signal, createContact: false })),
  );
  for (const { supersedes } of read) if (supersedes) await supersedeActivity(ctx, supersedes);
  const logged = captured.filter((one) => one && !one.deduplicated).length;
  const present = captured.filter((one) => one?.deduplicated).length;
  const result: LookupResult = { logged, present, skipped: bookings.length - logged - present, problem: null };
  await markLookedUp(ctx.db, id, contact.place, result);
  await noteWell(ctx, BOOKING_SOURCE);
  if (row.state === "cancelled") await changeState(ctx, id, "cancelled", null);
}

/** Updates the backfill after a failed call; returns what is left, or what the job must throw to be tried again. */
async function afterTrouble(
  ctx: Caller & Ctx,
  id: string,
  { contact }: Next,
  fault: ProviderFault,
  last: boolean,
): Promise<StepResult | Error> {
  const row = await findBackfillToChange(ctx.db, id);
  if (!row || row.state === "cancelled") return "done";
  const advice = await noteTrouble(ctx, BOOKING_SOURCE, "Past bookings cannot be looked up", fault);
  if (fault.trouble === "rejected") {
    // The provider refuses only this address; the others go on.
    await markLookedUp(ctx.db, id, contact.place, { logged: 0, present: 0, skipped: 0, problem: fault.message });
    return "more";
  }
  if (fault.trouble === "refused" || last) {
    if (fault.isRetryable)
      await markLookedUp(ctx.db, id, contact.place, { logged: 0, present: 0, skipped: 0, problem: fault.message });
    await changeState(ctx, id, "failed", `${advice} Then resume.`);
    return "done";
  }
  await changeState(ctx, id, "waiting", advice);
  return fault.retryAfterMs === null ? fault : { waitMs: fault.retryAfterMs };
}
