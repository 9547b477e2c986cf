import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { type Cursors, pageOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { Timestamp } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import { stageOf } from "#lib/domain/crm/recording/service.ts";
import {
  LAST_SEQ,
  propertiesOfType,
  readEvents,
  readStageChanges,
  viewOfEvent,
} from "#lib/domain/crm/timeline/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findDocuments } from "#lib/domain/knowledge/notes/service.ts";
import { evidenceIds, findIdentifiersOf, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { findNamesIn } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { type Card, findPeopleOf, findRecent } from "./queries/account.ts";
import { momentOf, standingsOf } from "./rules/claims.ts";
import { confidenceOver } from "./rules/confidence.ts";
import { viewOfClaim, viewOfEvidence, viewOfMember, viewOfObservation } from "./serialize.ts";
import {
  employerIn,
  icpAt,
  nameAt,
  newestFirst,
  readCard,
  readClaims,
  readPastScore,
  readStates,
} from "./service/read.ts";
import { resolveForRead } from "./service/resolve.ts";
import { readRow } from "./service/row.ts";

export { findColleagues, findPeopleOf, type Member } from "./queries/account.ts";
export { type Claim, type Moment, momentOf, nameBeside } from "./rules/claims.ts";
export { addIdentifier, removeIdentifier } from "./service/identify.ts";
export {
  employerIn,
  type Icp,
  icpAt,
  idsWithPeople,
  nameAt,
  readCard,
  readClaims,
  readPastScore,
  seenIn,
} from "./service/read.ts";
export { resolveFocus, resolveForRead } from "./service/resolve.ts";
export { verifyClaim } from "./service/verify.ts";
export { withdrawValue } from "./service/withdraw.ts";

const MOST_RECENT = 50;
const MOST_PEOPLE = 25;
const MOST_DOCUMENTS = 50;

export const getAccount = implement(contract.getAccount, async (ctx, input) => {
  const { entity, ambiguous } = await resolveForRead(ctx, input.focus);
  if (ambiguous) return ambiguous;
  const moment = momentOf(input);
  const [claims, card, identifiers, recent, people, documents, past] = await together([
    readClaims(ctx, entity, moment),
    readCard(ctx, entity),
    findIdentifiersOf(ctx.db, [entity.id]),
    findRecent(ctx.db, evidenceIds(entity), moment, MOST_RECENT),
    entity.type === "company" ? findPeopleOf(ctx.db, entity.id, MOST_PEOPLE) : [],
    findDocuments(ctx, evidenceIds(entity), MOST_DOCUMENTS, moment),
    readPastScore(ctx, entity, moment),
  ]);
  const valueByProperty = new Map(claims.map((claim) => [claim.property, claim.value]));
  const icp = icpAt(ctx, { entity, moment, card, past }, valueByProperty.get("icp_score"));
  const employer = employerIn(card);
  const employers = claims.find(({ property }) => property === "works_at")?.conflicts ?? [];
  const rivals = await findNamesIn(
    ctx.db,
    employers.map(({ value }) => value),
  );
  return {
    entity_id: entity.id,
    type: entity.type,
    status: entity.status,
    name: nameAt(card, claims, entity),
    identifiers: identifiers.map(({ kind, value }) => ({ kind, value })),
    claims: Object.fromEntries(
      claims.map((claim) => [claim.property, viewOfClaim(claim, employer, moment.now, rivals)]),
    ),
    recent_observations: recent.map(viewOfObservation),
    documents,
    relationships: {
      works_at: employerOf(card),
      people: people.map(viewOfMember),
      people_count: card?.peopleCount ?? 0,
    },
    ...(entity.type === "person" ? { pipeline_stage: stageOf(valueByProperty.get("pipeline_stage")) } : {}),
    ...(icp ? { icp } : {}),
  };
});

/** What is believed of one record now, by property; null when no single record is meant. Throws as `getAccount` does. */
export async function readCurrentOf(ctx: Ctx, focus: string) {
  const { entity } = await resolveForRead(ctx, focus);
  if (!entity) return null;
  const moment = momentOf({});
  const [claims, card, identifiers] = await together([
    readClaims(ctx, entity, moment),
    readCard(ctx, entity),
    findIdentifiersOf(ctx.db, [entity.id]),
  ]);
  const values = new Map<string, unknown>([
    ["status", entity.status],
    ...identifiers.map((one) => [one.kind, one.value] as const),
  ]);
  if (entity.type === "person") values.set("pipeline_stage", "identified");
  for (const { property, value } of claims) values.set(property, value);
  return { id: entity.id, type: entity.type, name: nameAt(card, claims, entity), values };
}

export const getPerson = implement(contract.getPerson, (ctx, { focus }) => readRow(ctx, "person", focus));

export const getCompany = implement(contract.getCompany, (ctx, { focus }) => readRow(ctx, "company", focus));

const employerOf = (card: Card | null) =>
  card?.employerId
    ? [{ entity_id: card.employerId, name: card.employer ?? "Unnamed company", domain: card.employerDomain }]
    : [];

export const getTimeline = implement(contract.getTimeline, async (ctx, { focus, type, limit, cursor }) => {
  const before = cursor === undefined ? { at: null, seq: LAST_SEQ } : positionOf(timelines, ctx, cursor);
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const properties = type === undefined ? null : propertiesOfType(type);
  const [rows, card, claims] = await together([
    readEvents(ctx, entity, { before, knownAt: null, properties, limit: limit + 1 }),
    readCard(ctx, entity),
    readClaims(ctx, entity, momentOf({})),
  ]);
  const owner = { id: entity.id, name: nameAt(card, claims, entity) };
  const { shown, next } = pageOf(ctx, timelines, { rows, limit }, placeOf);
  const moves = await readStageChanges(ctx, shown);
  const events = shown.map((row) => viewOfEvent(row, owner, moves.get(row.id)));
  return { entity_id: entity.id, events, limit, ...next };
});

export const getHistory = implement(contract.getHistory, async (ctx, { focus, property, limit, cursor }) => {
  const before = cursor === undefined ? null : positionOf(histories, ctx, cursor);
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const states = await readStates(ctx, entity, property);
  if (!states.some(({ value }) => value !== null)) throw new Fault("claim_not_found");
  const standings = standingsOf(states);
  const matches = newestFirst(states).filter(
    ({ observedAt, seq }) => !before || +observedAt < +before.at || (+observedAt === +before.at && seq < before.seq),
  );
  const { shown, next } = pageOf(ctx, histories, { rows: matches, limit }, placeOf);
  const isEmployer = entity.type === "person" && property === "works_at";
  const names = isEmployer
    ? await findNamesIn(
        ctx.db,
        shown.map(({ value }) => value),
      )
    : null;
  const values = shown.map((item) => ({
    ...viewOfEvidence(item, names),
    standing: standings.get(item.id) ?? ("past" as const),
  }));
  return { entity_id: entity.id, property, values, limit, ...next };
});

export const getConfidence = implement(contract.getConfidence, async (ctx, { id, property }) => {
  const states = await readStates(ctx, await resolveExisting(ctx, id), property);
  const points = confidenceOver(states, new Date());
  if (points.length === 0) throw new Fault("claim_not_found");
  return { points: points.map(({ at, confidence }) => ({ at: formatTime(at), confidence })) };
});

type EvidencePlace = { observedAt: Date; seq: number };

const At = z.tuple([Timestamp, z.int()]);
type At = z.output<typeof At>;
const timelines = sealedCursorsOf(contract.getTimeline.name, At);
const histories = sealedCursorsOf(contract.getHistory.name, At);

const placeOf = ({ observedAt, seq }: EvidencePlace): At => [formatTime(observedAt), seq];

function positionOf(cursors: Cursors<At>, ctx: Ctx, cursor: string): { at: Date; seq: number } {
  const [at, seq] = cursors.decode(ctx, cursor);
  return { at: new Date(at), seq };
}
