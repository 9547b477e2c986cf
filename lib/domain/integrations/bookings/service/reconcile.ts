import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals, supersedeActivity } from "#lib/domain/crm/activities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type BookingConnection,
  findBookingConnection,
  noteReconciled,
  noteTrouble,
  noteWell,
  ownAddresses,
} from "#lib/domain/integrations/connections/service.ts";
import { type Inside, insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { type ListedBooking, listBookings } from "#lib/providers/cal-com/client.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { BOOKING_SOURCE, bookedSignals, bookingOf, readBooking } from "../rules.ts";
import { takeTurn } from "./pace.ts";

const reconciling = jobKind("bookings:reconcile", {
  label: "Compare bookings with the provider",
  ids: ["connection_id"],
  // The next hour's run does the same: more tries would only pile up.
  attempts: 4,
  queue: "bookings",
  once: true,
});

/** Changes up to this long before are asked for again: clocks differ, and lists are answered from replicas. */
const OVERLAP_MS = 10 * 60_000;

/** Queues a comparison when the workspace has a booking provider. */
export const queueComparison = (workspaceId: WorkspaceId): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    const connection = await findBookingConnection({ db });
    if (connection) await enqueue(db, reconciling, { connection_id: connection.connectionId });
  });

/**
 * Records changes at the provider that no webhook reported: lost deliveries, and bookings of teams, which send none.
 * The external ids are those of the webhooks, so nothing is recorded twice.
 */
export const reconcile = resumable(reconciling, {
  begin:
    ({ caller, signal }, { connection_id }) =>
    () =>
      compare(insideOf(caller), connection_id, signal),
});

/** How far it came is kept with each page, and the process may stop after each. */
async function compare(inside: Inside, connectionId: string, signal: AbortSignal): Promise<StepResult> {
  const begun = new Date();
  const connection = await inside(findBookingConnection);
  if (connection?.connectionId !== connectionId) return "done"; // disconnected or replaced since it was queued
  const since = new Date((connection.reconciledTo ?? connection.createdAt).getTime() - OVERLAP_MS);
  try {
    await takeTurn(connectionId);
    for await (const { bookings } of listBookings(connection.portal, { afterUpdatedAt: since })) {
      await inside((ctx) => keepChanges(ctx, connection, bookings));
      if (signal.aborted) return "more";
      await takeTurn(connectionId);
    }
    await inside((ctx) => noteReconciled(ctx, connectionId, begun));
    await inside((ctx) => noteWell(ctx, BOOKING_SOURCE));
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    await inside((ctx) => noteTrouble(ctx, BOOKING_SOURCE, "Bookings cannot be compared", error));
    if (error.retryAfterMs !== null) return { waitMs: error.retryAfterMs };
    if (error.isRetryable) throw error;
  }
  return "done";
}

async function keepChanges(ctx: Ctx, connection: BookingConnection, bookings: readonly ListedBooking[]): Promise<void> {
  const own = await ownAddresses(ctx, BOOKING_SOURCE);
  const changed: Date[] = [];
  for (const listed of oldHalvesFirst(bookings)) {
    const booking = bookingOf(listed);
    const { signals, supersedes, skipped } = readBooking(booking, own);
    // Unknown people become contacts when they book, not when a booking from before we were connected changes.
    const isNew = !listed.createdAt || Date.parse(listed.createdAt) >= connection.createdAt.getTime() - OVERLAP_MS;
    // A booking made and moved since the last run is recorded in both steps, as webhooks would have reported it.
    const signalsToRecord = skipped === "moved" && isNew ? bookedSignals(booking, own) : signals;
    await captureSignals(
      ctx,
      signalsToRecord.map((signal) => ({ ...signal, createContact: signal.createContact && isNew })),
    );
    if (supersedes) await supersedeActivity(ctx, supersedes);
    const at = Date.parse(listed.updatedAt ?? "");
    if (Number.isFinite(at) && at <= Date.now()) changed.push(new Date(at));
  }
  const latest = changed.sort((a, b) => b.getTime() - a.getTime())[0];
  // Pages come in the order of their changes, so a run that is cut off continues from here.
  if (latest) await noteReconciled(ctx, connection.connectionId, latest);
}

const oldHalvesFirst = (bookings: readonly ListedBooking[]): ListedBooking[] =>
  bookings.toSorted((a, b) => Number(!a.rescheduledToUid) - Number(!b.rescheduledToUid));
