import { isDeepStrictEqual } from "node:util";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { lockWorkspace } from "#lib/db/row-locks.ts";
import { filtersForJob, listCompanies, listPeople } from "#lib/domain/crm/people/service.ts";
import { type Ctx, implement, type Operation } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inFilters, requireFilters } from "#lib/domain/whole-lists.ts";
import { announce } from "#lib/live/announce.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { HOUR_MS } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { availableEvents, eventNamed } from "../events.ts";
import { hastenWaiting, skipWaiting } from "../queries/deliveries.ts";
import {
  countTriggers,
  deleteTriggerRow,
  findTrigger,
  findTriggerRows,
  forgetInFilters,
  insertTrigger,
  lockTrigger,
  markWorkspace,
  rotateSecret,
  type TriggerRow,
  updateTrigger,
} from "../queries.ts";
import { type TargetTerms, wrongWith } from "../rules/targets.ts";
import { triggerOf } from "../serialize.ts";
import { newSecret, sealSecret } from "./secrets.ts";

const MOST_TRIGGERS = 100;

/** Triggers or deliveries changed: open pages read them again, and the dispatcher looks for what is due. */
export const tellTriggers = ({ db, workspaceId }: Pick<Ctx, "db" | "workspaceId">): void =>
  db.afterCommit(() => announce(workspaceId, { topic: "triggers" }));

/** Where triggers may lead on this server: also to private addresses, to which hosts alone, and only with TLS. */
export function allowedTargets(): TargetTerms {
  const { ALLOW_PRIVATE_WEBHOOK_TARGETS, TARGET_HOSTS, REQUIRE_TLS } = getBoot().env;
  return {
    privateAllowed: ALLOW_PRIVATE_WEBHOOK_TARGETS === "true",
    hosts: TARGET_HOSTS,
    encrypted: REQUIRE_TLS === "true",
  };
}

export const createTrigger = implement(
  contract.createTrigger,
  async (ctx, { url, events, name, filters: given = {} }) => {
    requireUrl(url);
    const wanted = requireEvents(events);
    const filters = await checked(ctx, given);
    await lockWorkspace(ctx.db); // of two that are the same, the second one waits here and answers the first
    const same = (await findTriggerRows(ctx.db)).find((row) => isSame(row, { url, events: wanted, filters }));
    if (same) return { ok: true as const, created: false, trigger: await read(ctx, same.id), secret: null };
    if ((await countTriggers(ctx.db)).count >= MOST_TRIGGERS) throw new Fault("too_many_triggers");
    const id = newId();
    const secret = newSecret();
    const createdBy = nameOfActor(ctx);
    const row = { id, name: name || null, url, events: wanted, filters, secret: sealSecret(id, secret), createdBy };
    await insertTrigger(ctx.db, row);
    await markWorkspace(ctx.db);
    await recordAudit(ctx, "trigger.created", id, { name: row.name, url, events: wanted });
    tellTriggers(ctx);
    return { ok: true as const, created: true, trigger: await read(ctx, id), secret };
  },
);

const lists = { people: listPeople as unknown as Operation, companies: listCompanies as unknown as Operation };

/** The filters, of which those of lists are as a job asks them; throws as the lists do. */
async function checked(ctx: Ctx, filters: contract.Filters): Promise<contract.Filters> {
  const meant = { ...filters };
  for (const list of ["people", "companies"] as const) {
    const values = filters[list];
    if (values === undefined) continue;
    const named = `filters.${list}`;
    requireFilters(ctx, lists[list], values, "a trigger is about all rows, so it is not paged.", named);
    meant[list] = await filtersForJob(ctx, list, values).catch((error: unknown) => {
      throw inFilters(error, named);
    });
  }
  return meant;
}

/** Whether two triggers send the same events to the same URL. */
const isSame = (one: TriggerTarget, other: TriggerTarget): boolean =>
  one.url === other.url &&
  isDeepStrictEqual(one.events.toSorted(), other.events.toSorted()) &&
  isDeepStrictEqual(one.filters, other.filters);

type TriggerTarget = Pick<TriggerRow, "url" | "events" | "filters">;

export const changeTrigger = implement(contract.changeTrigger, async (ctx, { id, ...input }) => {
  const before = await requireTrigger(ctx, id);
  if (input.url !== undefined) requireUrl(input.url);
  const after: TriggerRow = {
    ...before,
    url: input.url ?? before.url,
    events: input.events === undefined ? before.events : requireEvents(input.events),
    name: input.name === undefined ? before.name : input.name || null,
    filters: input.filters ? await checked(ctx, input.filters) : before.filters,
    status: before.status === "active" ? (input.status ?? before.status) : before.status,
  };
  await updateTrigger(ctx.db, after);
  if (after.url !== before.url) await hastenWaiting(ctx.db, id);
  const changed = (["url", "events", "name", "filters", "status"] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (changed.length > 0) await recordAudit(ctx, "trigger.changed", id, { fields: changed, url: after.url });
  tellTriggers(ctx);
  return { ok: true as const, trigger: await read(ctx, id) };
});

export const deleteTrigger = implement(contract.deleteTrigger, async (ctx, { id }) => {
  const { name, url } = await requireTrigger(ctx, id);
  await deleteTriggerRow(ctx.db, id);
  await markWorkspace(ctx.db);
  await recordAudit(ctx, "trigger.deleted", id, { name, url });
  tellTriggers(ctx);
  return {};
});

export const resumeTrigger = implement(contract.resumeTrigger, async (ctx, { id, skip_waiting }) => {
  const before = await requireTrigger(ctx, id);
  await updateTrigger(ctx.db, { ...before, status: "active", message: null, failingSince: null, givenUp: 0 });
  const skipped = skip_waiting ? await skipWaiting(ctx.db, id) : 0;
  await hastenWaiting(ctx.db, id);
  if (before.status !== "active") await recordAudit(ctx, "trigger.resumed", id, { was: before.status, skipped });
  tellTriggers(ctx);
  return { ok: true as const, trigger: await read(ctx, id), skipped };
});

export const rotateTriggerSecret = implement(contract.rotateTriggerSecret, async (ctx, { id, overlap_hours }) => {
  const trigger = await requireTrigger(ctx, id);
  const secret = newSecret();
  const until = overlap_hours === 0 ? null : new Date(Date.now() + overlap_hours * HOUR_MS);
  await rotateSecret(ctx.db, trigger, sealSecret(id, secret), until);
  await recordAudit(ctx, "trigger.secret_rotated", id, { overlap_hours });
  tellTriggers(ctx);
  return { ok: true as const, trigger: await read(ctx, id), secret };
});

const NAMED = "Its filters named a person who was erased. Change the filters, then resume it.";

/** In the transaction of an erasure: no filters name the person, and a trigger that had them sends nothing until a person has looked. */
export async function forgetInTriggers(ctx: Pick<Ctx, "db" | "workspaceId">, identifiers: readonly string[]) {
  if ((await forgetInFilters(ctx.db, identifiers, NAMED)) > 0) tellTriggers(ctx);
}

/** The trigger, locked until the transaction ends. */
export async function requireTrigger(ctx: Pick<Ctx, "db">, id: string): Promise<TriggerRow> {
  const row = await lockTrigger(ctx.db, id);
  if (!row) throw new Fault("trigger_not_found");
  return row;
}

async function read(ctx: Ctx, id: string): Promise<contract.Trigger> {
  const row = await findTrigger(ctx.db, id);
  if (!row) throw new Fault("trigger_not_found");
  return triggerOf(row);
}

function requireUrl(url: string): void {
  const wrong = wrongWith(url, allowedTargets());
  if (wrong !== null) throw new Fault("invalid_url", { parameter: "url" }, `url cannot be used: ${wrong}.`);
}

/** The events, each once. */
export function requireEvents(events: readonly string[]): string[] {
  if (events.length === 0) throw new Fault("url_and_events_required");
  const unknown = events.find((name) => eventNamed(name) === undefined);
  if (unknown !== undefined)
    throw new Fault(
      "unknown_event",
      { parameter: "events", available_events: availableEvents },
      `There is no event ${unknown.slice(0, 100)}; available_events lists them.`,
    );
  return [...new Set(events)];
}
