import type { Resolved } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type EventRow, findEvents, findStageChanges, findSuperseded, type Page, type StageChange } from "./queries.ts";
import { propertyOfSuperseded, valueShown } from "./rules/activities.ts";

export { countEvents, EVENT_COLUMNS, type EventRow, LAST_SEQ } from "./queries.ts";
export { labelOf, propertiesOfType, propertyOfSuperseded, typeOf } from "./rules/activities.ts";
export { calledOffBy } from "./rules/meetings.ts";
export { viewOfEvent } from "./serialize.ts";

/** An event as it is shown. `supersededBy`: the external id of the booking that took its place. */
export type Shown<E = EventRow> = E & { supersededBy: string | null };

/** A page of a timeline, newest first, each booking in its current state. */
export const readEvents = async (ctx: Ctx, entity: Resolved, page: Page): Promise<Shown[]> =>
  markSuperseded(ctx, await findEvents(ctx.db, entity, page));

/**
 * The change of stage that each of these events caused, by the event's id; the last where rules that were applied later moved
 * the person again.
 */
export const readStageChanges = async (
  ctx: Ctx,
  events: readonly { id: string }[],
): Promise<ReadonlyMap<string, StageChange>> =>
  events.length === 0
    ? new Map()
    : new Map(
        (
          await findStageChanges(
            ctx.db,
            events.map(({ id }) => id),
          )
        ).map((change) => [change.causedBy, change]),
      );

type Booking = Pick<EventRow, "entityId" | "property" | "value" | "source" | "externalId">;

/** Marks the bookings among some events that another booking replaced. */
export async function markSuperseded<E extends Booking>(ctx: Ctx, events: readonly E[]): Promise<Shown<E>[]> {
  const asked = events.flatMap(({ entityId, property, source, externalId }) =>
    property === "interaction.meeting_scheduled" && externalId !== null
      ? [{ entityId, property: propertyOfSuperseded(source, externalId) }]
      : [],
  );
  const found = asked.length > 0 ? await findSuperseded(ctx.db, asked) : [];
  const successors = new Map(found.map(({ entityId, property, by }) => [`${entityId} ${property}`, by]));
  return events.map((event) => {
    const { entityId, source, externalId } = event;
    const by = successors.get(`${entityId} ${propertyOfSuperseded(source, externalId ?? "")}`) ?? null;
    return { ...event, supersededBy: by, value: valueShown(event.value, by) };
  });
}
