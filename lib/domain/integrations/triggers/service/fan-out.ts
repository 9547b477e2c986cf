import type { Actor } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { companiesAmong, peopleAmong } from "#lib/domain/crm/people/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { formatTime } from "#lib/text/time.ts";
import {
  type EventRow,
  type Facts,
  findBelieved,
  findFacts,
  insertDeliveries,
  type NewDelivery,
} from "../queries/events.ts";
import type { TriggerRow } from "../queries.ts";
import { dataOf } from "../rules/bodies.ts";
import { askedAs, type Happening, listFor, passes, propertiesIn } from "../rules/matching.ts";

const SAMPLE = "sample";

/** What came with the sample data is not delivered. What members and agents do with it is, like with any data. */
const isMadeUp = ({ data }: EventRow, { source, origin }: Facts): boolean =>
  (source ?? data.source ?? origin) === SAMPLE;

/** Makes a delivery of each event for each trigger that asked for it, in the order of the events. */
export async function fanOut(
  { db, workspaceId }: Pick<Ctx, "db" | "workspaceId">,
  events: readonly EventRow[],
  triggers: readonly TriggerRow[],
): Promise<void> {
  const wanted = events.filter((event) => triggers.some((trigger) => askedAs(trigger, event) !== null));
  if (wanted.length === 0) return;
  const facts = new Map(
    (
      await findFacts(
        db,
        wanted,
        triggers.some(({ filters }) => filters.list !== undefined),
      )
    ).map((row) => [row.seq, row]),
  );
  const believed = await propertiesOf(db, [...facts.values()], triggers);
  const listed = await listedFor(db, wanted, facts, triggers);
  const deliveries: NewDelivery[] = [];
  for (const event of wanted) {
    const eventFacts = facts.get(event.seq);
    if (!eventFacts || isMadeUp(event, eventFacts)) continue;
    const happening = happeningOf(event, eventFacts, believed);
    const data = dataOf(workspaceId, event, eventFacts);
    for (const trigger of triggers) {
      const type = askedAs(trigger, event);
      if (type === null || !passes(trigger.filters, happening)) continue;
      if (listed.get(trigger)?.has(eventFacts.entityId) === false) continue;
      const body = JSON.stringify({ type, timestamp: formatTime(event.at), data });
      deliveries.push({ id: newId(), triggerId: trigger.id, type, entityId: eventFacts.entityId, body });
    }
  }
  await insertDeliveries(db, deliveries);
}

/** Deliveries are no member's: `owner=me` in filters became that member when the trigger was saved. */
const actor: Actor = { type: "job", id: "triggers" };

/** For each trigger with filters of lists, the records of its events that those lists have. */
async function listedFor(
  db: Ctx["db"],
  events: readonly EventRow[],
  facts: ReadonlyMap<number, Facts>,
  triggers: readonly TriggerRow[],
): Promise<ReadonlyMap<TriggerRow, ReadonlySet<string>>> {
  const listed = new Map<TriggerRow, ReadonlySet<string>>();
  for (const trigger of triggers) {
    const { filters } = trigger;
    if (listFor(filters, "person") === null) continue;
    const about = events.flatMap((event) => (askedAs(trigger, event) === null ? [] : (facts.get(event.seq) ?? [])));
    const idsFor = (list: "people" | "companies") => [
      ...new Set(about.flatMap(({ type, entityId }) => (listFor(filters, type) === list ? [entityId] : []))),
    ];
    const [people, companies] = [idsFor("people"), idsFor("companies")];
    listed.set(
      trigger,
      new Set([
        ...(people.length > 0 ? await peopleAmong({ db, actor }, filters.people ?? {}, people) : []),
        ...(companies.length > 0 ? await companiesAmong({ db, actor }, filters.companies ?? {}, companies) : []),
      ]),
    );
  }
  return listed;
}

type ValuesByRecord = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

async function propertiesOf(
  db: Ctx["db"],
  facts: readonly Facts[],
  triggers: readonly TriggerRow[],
): Promise<ValuesByRecord> {
  const properties = [...new Set(triggers.flatMap(({ filters }) => propertiesIn(filters)))];
  const valuesByEntity = new Map<string, Map<string, unknown>>();
  if (properties.length === 0) return valuesByEntity;
  for (const { entityId, property, value } of await findBelieved(
    db,
    [...new Set(facts.map(({ entityId }) => entityId))],
    properties,
  )) {
    const values = valuesByEntity.get(entityId) ?? new Map<string, unknown>();
    valuesByEntity.set(entityId, values.set(property, value));
  }
  return valuesByEntity;
}

function happeningOf({ type, at, data }: EventRow, facts: Facts, believed: ValuesByRecord): Happening {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    type,
    at,
    source: facts.source ?? text(data.source),
    stage: type === "stage.advanced" ? text(data.to) : facts.stage,
    lists: [text(data.list_id), ...(facts.lists ?? [])].filter((id) => id !== null),
    properties: believed.get(facts.entityId) ?? new Map(),
  };
}
