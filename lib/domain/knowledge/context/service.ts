import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json.ts";
import { together } from "#lib/core/together.ts";
import { findOpenTasks } from "#lib/domain/crm/tasks/service.ts";
import {
  calledOffBy,
  countEvents,
  LAST_SEQ,
  readEvents,
  type TimelineEvent,
  typeOf,
} from "#lib/domain/crm/timeline/service.ts";
import { ofVisible } from "#lib/domain/hidden-fields.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import {
  employerIn,
  findColleagues,
  findPeopleOf,
  type Icp,
  icpAt,
  type Member,
  type Moment,
  momentOf,
  nameAt,
  readCard,
  readClaims,
  readPastScore,
  resolveForRead,
} from "#lib/domain/knowledge/contacts/service.ts";
import { readConversation } from "#lib/domain/knowledge/messages/service.ts";
import { findDocuments } from "#lib/domain/knowledge/notes/service.ts";
import { readKnowing } from "#lib/domain/knowledge/relationships/service.ts";
import { evidenceIds, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { readFacts } from "#lib/domain/records/facts/service.ts";
import { countTokens } from "#lib/text/tokens.ts";
import * as contract from "./contract.ts";
import { compose } from "./rules/compose.ts";
import { type Intent, intents, shapes } from "./rules/intents.ts";
import { knownByLine, summaryOf } from "./rules/summary.ts";
import { sectionsOfContext, textOfContext } from "./rules/text.ts";

const MOST_FACTS = 60;
const MOST_EVENTS = 40;
const MOST_DOCUMENTS = 12;
const MOST_STAKEHOLDERS = 8;
const MOST_TASKS = 10;

export { claimLine, documentLine, fitText, textOfContext } from "./rules/text.ts";

export const getContext = implement(contract.getContext, async (ctx, input) => {
  const built = await build(ctx, input);
  return typeof built === "string" ? new JsonText<contract.Context>(built) : built;
});

export const getContextText = implement(contract.getContextText, async (ctx, input) => {
  const built = await build(ctx, input);
  if (typeof built !== "string") return built;
  const context = JSON.parse(built) as contract.Context;
  const text = textOfContext(context);
  const sections = sectionsOfContext(context).map((part) => ({ title: part.title, tokens: countTokens(part.text) }));
  return { text, tokens: countTokens(text), sections, context };
});

type ContextRequest = { focus: string; intent: string; budget_tokens?: number | undefined } & Parameters<
  typeof momentOf
>[0];

/**
 * The answer as JSON, or the candidates when several are meant. Two round trips: who is meant (and, independent of it, the
 * profile), then everything about them at once.
 */
async function build(ctx: Ctx, input: ContextRequest): Promise<string | Ambiguous> {
  const intent = intentOf(input.intent);
  const [{ entity, ambiguous }, facts] = await together([
    resolveForRead(ctx, input.focus),
    readFacts(ctx, { limit: MOST_FACTS, as_of: input.as_of, known_at: input.known_at }),
  ]);
  if (ambiguous) return ambiguous;
  const moment = momentOf(input);
  const isNow = !(input.as_of || input.known_at);
  const [all, card, events, documents, stakeholders, past, tasks, conversation, knowing] = await together([
    readClaims(ctx, entity, moment),
    readCard(ctx, entity),
    readHappened(ctx, entity, moment),
    findDocuments(ctx, evidenceIds(entity), MOST_DOCUMENTS, moment),
    readStakeholders(ctx, entity),
    readPastScore(ctx, entity, moment),
    // Tasks and what members share have no history: an earlier moment has none.
    isNow ? findOpenTasks(ctx.db, entity.id, MOST_TASKS) : [],
    isNow && tellsAll(ctx) ? readConversation(ctx, entity) : null,
    isNow ? readKnowing(ctx, entity, moment.now) : [],
  ]);
  const own = all.filter((claim) => !isFact(claim.property, entity));
  const claims = ctx.limits ? ofVisible(ctx.limits, own) : own;
  const name = nameAt(card, claims, entity);
  const summary = summaryOf({
    type: entity.type,
    name,
    company: card?.employer ?? null,
    firm: firmAt(intent, card),
    domain: card?.domain ?? null,
    peopleCount: card?.peopleCount ?? 0,
    claims,
    ...lastAndNext(events.listed, moment),
    now: moment.now,
  });
  const material = {
    entity: { id: entity.id, type: entity.type, name },
    summary,
    knownBy: knownByLine(knowing, moment.now),
    claims,
    employer: employerIn(card),
    facts,
    events: events.listed,
    counts: events.counts,
    documents,
    stakeholders,
    icp: briefly(
      icpAt(ctx, { entity, moment, card, past }, claims.find((claim) => claim.property === "icp_score")?.value),
    ),
    tasks,
    conversation,
    now: moment.now,
  };
  return compose(material, intent, input.budget_tokens ?? shapes[intent].budget);
}

/** What a mail says could tell the fields that are hidden from a caller; nor may such a caller read conversations. */
const tellsAll = ({ limits }: Ctx): boolean => (limits?.hiddenFields.length ?? 0) === 0;

/** Who one meets or calls is told with where the company is, and how large. */
const firmAt = (intent: Intent, card: Awaited<ReturnType<typeof readCard>>) =>
  (intent === "meeting_prep" || intent === "call_prep") && card?.type === "person" ? card : undefined;

/** The fit without what each signal gave: a context is short. */
const briefly = (icp: Icp | undefined): Icp | undefined => {
  if (!icp) return undefined;
  const { contributions: _, ...brief } = icp;
  return brief;
};

function intentOf(text: string): Intent {
  const intent = intents.find((each) => each === text);
  if (!intent) {
    const extras = { valid_intents: intents, parameter: "intent" };
    throw new Fault("invalid_intent", extras, `intent must be one of ${intents.join(", ")}.`);
  }
  return intent;
}

/** The facts of the profile are claims about the workspace, and have a section of their own. */
const isFact = (property: string, entity: ResolvedEntity): boolean =>
  entity.type === "workspace" && property.startsWith("note.");

/** The latest events, and how many there are of each type: counted by the database only when they are many. */
async function readHappened(ctx: Ctx, entity: ResolvedEntity, moment: Moment) {
  const page = { before: { at: moment.asOf, seq: LAST_SEQ }, knownAt: moment.knownAt, properties: null };
  const listed = await readEvents(ctx, entity, { ...page, limit: MOST_EVENTS });
  const counted =
    listed.length < MOST_EVENTS
      ? listed.map((event) => ({ property: event.property, count: 1, latest: event.observedAt }))
      : await countEvents(ctx.db, entity, moment);
  const byType = new Map<string, { type: string; count: number; latest: Date }>();
  for (const { property, count, latest } of counted) {
    const latestOfType = byType.get(typeOf(property));
    if (latestOfType)
      Object.assign(latestOfType, {
        count: latestOfType.count + count,
        latest: latest > latestOfType.latest ? latest : latestOfType.latest,
      });
    else byType.set(typeOf(property), { type: typeOf(property), count, latest });
  }
  return { listed, counts: [...byType.values()] };
}

/** The latest thing that happened, and the next meeting that was neither rescheduled nor called off. */
function lastAndNext(events: readonly TimelineEvent[], { now }: Moment) {
  const at = (event: TimelineEvent | undefined) =>
    event ? { type: typeOf(event.property), at: event.observedAt } : null;
  const meetings = (type: string) =>
    events.flatMap((event) => (typeOf(event.property) === type ? [{ ...event, at: event.observedAt }] : []));
  const isOff = calledOffBy(meetings("meeting_cancelled"));
  const standing = meetings("meeting_scheduled").filter((event) => event.supersededBy === null && !isOff(event));
  return {
    last: at(events.find((event) => event.observedAt <= now)),
    next: at(standing.findLast((event) => event.observedAt > now)),
  };
}

async function readStakeholders(ctx: Ctx, entity: ResolvedEntity): Promise<Member[]> {
  if (entity.type === "company") return findPeopleOf(ctx.db, entity.id, MOST_STAKEHOLDERS);
  return entity.type === "person" ? findColleagues(ctx.db, entity.id, MOST_STAKEHOLDERS) : [];
}
