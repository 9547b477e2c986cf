import type { Ctx } from "#lib/domain/implement.ts";
import type { ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { type EventRow, findEvents, findStageChanges, findSuperseded, type Page, type StageChange } from "./queries.ts";
import { propertyOfSuperseded, valueShown } from "./rules.ts";

export {
  countEvents,
  EVENT_COLUMNS,
  type EventRow,
  EXTERNAL_ID,
  findEvents,
  findExternalIds,
  LAST_SEQ,
} from "./queries.ts";
export { calledOffBy, labelOf, propertiesOfType, propertyOfSuperseded, typeOf } from "./rules.ts";
export { viewOfEvent } from "./serialize.ts";

/** An event as it is shown. `supersededBy`: the external id of the booking that took its place. */
export type TimelineEvent<E = EventRow> = E & { supersededBy: string | null };

/** A page of a timeline, newest first, each booking in its current state. */
export const readEvents = async (ctx: Ctx, entity: ResolvedEntity, page: Page): Promise<TimelineEvent[]> =>
  markSuperseded(ctx, await findEvents(ctx.db, entity, page));

/**
 * The change of stage that each of these events caused, by the event's id; the last where rules that were applied later moved
 * the person again.
 */
export const readStageChanges = async (
  ctx: Ctx,
  events: readonly { id: string; corrects: string | null }[],
): Promise<ReadonlyMap<string, StageChange>> => {
  if (events.length === 0) return new Map();
  // A correction keeps what the event did when it was first recorded.
  const first = new Map(events.map(({ id, corrects }) => [corrects ?? id, id]));
  const changes = await findStageChanges(ctx.db, [...first.keys()]);
  return new Map(changes.map((change) => [first.get(change.causedBy) ?? change.causedBy, change]));
};

type Booking = Pick<EventRow, "entityId" | "property" | "value" | "source" | "externalId">;

/** Marks the bookings among some events that another booking replaced. */
export async function markSuperseded<E extends Booking>(ctx: Ctx, events: readonly E[]): Promise<TimelineEvent<E>[]> {
  const asked = events.flatMap(({ entityId, property, source, externalId }) =>
    property === "interaction.meeting_scheduled" && externalId !== null
      ? [{ entityId, property: propertyOfSuperseded(source, externalId) }]
      : [],
  );
  const superseded = asked.length > 0 ? await findSuperseded(ctx.db, asked) : [];
  const successors = new Map(superseded.map(({ entityId, property, by }) => [`${entityId} ${property}`, by]));
  return events.map((event) => {
    const { entityId, source, externalId } = event;
    const by = successors.get(`${entityId} ${propertyOfSuperseded(source, externalId ?? "")}`) ?? null;
    return { ...event, supersededBy: by, value: valueShown(event.value, by) };
  });
}
