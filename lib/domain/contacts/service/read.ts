import type { Resolved } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type Card, findCard, findClaims, findStates } from "../queries/account.ts";
import { type EventRow, findEvents, findSuperseded, type Page } from "../queries/timeline.ts";
import { isAboutActivity, propertyOfSuperseded, valueShown } from "../rules/activities.ts";
import { type Claim, claimsAt, isPast, type Moment } from "../rules/claims.ts";
import { nameOf } from "../rules/names.ts";

/** An entity and those merged into it: whose evidence counts. */
export const evidenceIds = (entity: Resolved): string[] => [entity.id, ...entity.absorbed];

/** What is believed about an entity at a moment: the projection for today, the evidence for any other. */
export async function readClaims(ctx: Ctx, entity: Resolved, moment: Moment): Promise<Claim[]> {
  const claims = isPast(moment)
    ? claimsAt(await findStates(ctx.db, evidenceIds(entity), moment), moment)
    : await findClaims(ctx.db, entity.id);
  return claims.filter(({ property }) => !isAboutActivity(property));
}

/** An event as it is shown. `supersededBy`: the external id of the booking that took its place. */
export type Shown<E = EventRow> = E & { supersededBy: string | null };

/** A page of a timeline, newest first, each booking as it stands now. */
export const readEvents = async (ctx: Ctx, entity: Resolved, page: Page): Promise<Shown[]> =>
  markSuperseded(ctx, await findEvents(ctx.db, entity, page));

type Booking = Pick<EventRow, "entityId" | "property" | "value" | "source" | "externalId">;

/** Marks the bookings among some events whose place another one took. */
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

export const readCard = (ctx: Ctx, entity: Resolved): Promise<Card | null> => findCard(ctx.db, entity.type, entity.id);

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What an entity was called: by the claims of the moment, else by today's identifiers. */
export function nameAt(card: Card | null, claims: readonly Claim[], entity: Resolved): string {
  if (entity.type === "workspace") return nameOf({ name: card?.name ?? null });
  const said = (property: string) => textOf(claims.find((claim) => claim.property === property)?.value);
  return nameOf({
    firstName: entity.type === "person" ? said("first_name") : null,
    lastName: entity.type === "person" ? said("last_name") : null,
    name: entity.type === "company" ? said("name") : null,
    email: card?.email ?? null,
    domain: card?.domain ?? null,
    linkedinUrl: card?.linkedinUrl ?? null,
  });
}
