import type { OpenTask } from "#lib/domain/crm/tasks/service.ts";
import { type EventRow, labelOf, typeOf } from "#lib/domain/crm/timeline/service.ts";
import { type Claim, type Icp, type Member, nameBeside } from "#lib/domain/knowledge/contacts/service.ts";
import type { Conversation } from "#lib/domain/knowledge/messages/service.ts";
import { confidenceAt, freshnessAt } from "#lib/domain/records/evidence/service.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { clipAtWord as clip, shorten } from "#lib/text/clip.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import { countJson } from "#lib/text/tokens.ts";
import { type Intent, type Shape, shapes } from "./intents.ts";
import { type Line, ofEach, pack } from "./packing.ts";
import { rankClaims, rankDocuments, rankEvents, rankFacts } from "./ranking.ts";

/** Everything a context is made from, at the moment `now`. */
export type Material = {
  entity: { id: string; type: string; name: string };
  summary: string;
  /** which members know them, in words; null: none that the caller may know of */
  knownBy: string | null;
  claims: readonly Claim[];
  /** the company of `works_at` */
  employer: { id: string; name: string } | null;
  facts: readonly { id: string; category: string; content: string }[];
  /** the latest events */
  events: readonly EventRow[];
  /** all events by type, the listed ones included */
  counts: readonly { type: string; count: number; latest: Date }[];
  documents: readonly { id: string; type: string; title: string | null; date: string; snippet: string }[];
  stakeholders: readonly Member[];
  icp: Icp | undefined;
  /** what is to do about it, the next due first */
  tasks: readonly OpenTask[];
  /** the last one by e-mail, as far as the caller may see it */
  conversation: Conversation | null;
  now: Date;
};

const NAME_TOKENS = 24;
const SUMMARY_TOKENS = 80;
const KNOWN_BY_TOKENS = 40;

const LONG = 600;
const SHORT = 90;

/** What the frame counts of a conversation: its name and its brackets. */
const EMPTY = "{}";

/** The answer as JSON, never more than `budget` tokens by the o200k encoding. */
export function compose(material: Material, intent: Intent, budget: number): string {
  const shape = shapes[intent];
  const { now } = material;
  const events = timelineOf(shape, material);
  const claims = material.claims.filter(({ property, conflicts }) => !inHead.has(property) || conflicts.length > 0);
  const lines = {
    conversation: material.conversation ? [conversationLine(material.conversation, now)] : [],
    claims: rankClaims(shape, claims, now).map((claim) => claimLine(claim, material.employer, now)),
    workspace: rankFacts(shape, material.facts).map(factLine),
    timeline: events,
    documents: rankDocuments(shape, material.documents).map(documentLine),
    stakeholders: material.stakeholders.map(stakeholderLine),
    tasks: material.tasks.map(taskLine),
  };
  const head = JSON.stringify({
    entity: { ...material.entity, name: clipTokens(material.entity.name, NAME_TOKENS) },
    intent,
    summary: clipTokens(material.summary, SUMMARY_TOKENS),
    ...(material.knownBy === null ? {} : { known_by: clipTokens(material.knownBy, KNOWN_BY_TOKENS) }),
  });
  const icp = material.icp ? `"icp":${JSON.stringify(material.icp)},` : "";
  const answer = (taken: Record<keyof typeof lines, readonly string[]>, meta: object) =>
    `${head.slice(0, -1)},"claims":[${taken.claims}],"workspace":[${taken.workspace}],${conversationOf(taken.conversation)}"timeline":[${taken.timeline}],"documents":[${taken.documents}],"stakeholders":[${taken.stakeholders}],${tasksOf(taken.tasks)}${icp}"predictions":[],"meta":${JSON.stringify(meta)}}`;
  const tasksOf = (taken: readonly string[]) => (lines.tasks.length > 0 ? `"tasks":[${taken}],` : "");
  const conversationOf = ([taken]: readonly string[]) => (taken ? `"conversation":${taken},` : "");
  const meta = (tokens: number, returned: number, truncated: boolean) => ({
    token_estimate: tokens,
    budget_tokens: budget,
    claims_total: claims.length,
    claims_returned: returned,
    timeline_events: material.counts.reduce((sum, { count }) => sum + count, 0),
    truncated,
  });
  const empty = ofEach((section) => (section === "conversation" && material.conversation ? [EMPTY] : []));
  const frame = countJson(answer(empty, meta(budget, claims.length, false)));
  const { taken, tokens, left } = pack(shape, lines, budget - frame);
  const timeline = inTime(taken.timeline);
  return answer({ ...taken, timeline }, meta(frame + tokens, taken.claims.length, left > 0));
}

/** What the name of the entity says already, and what helps no agent. */
const inHead: ReadonlySet<string> = new Set(["first_name", "last_name", "name", "source"]);

const beside = (name: string | null) => (name === null ? {} : { name: clip(name, SHORT) });

const claimLine = (claim: Claim, employer: Material["employer"], now: Date): Line => [
  () => ({
    property: claim.property,
    value: clipValue(claim.value, LONG),
    ...beside(nameBeside(claim, employer)),
    confidence: confidenceAt(claim, now),
    freshness: freshnessAt(claim.lastObservedAt, now),
    epistemic_class: claim.method,
    last_observed_at: formatTime(claim.lastObservedAt),
    observation_ids: [claim.observationId, ...claim.conflicts.slice(0, 3).map((conflict) => conflict.observation_id)],
  }),
];

const factLine = ({ id, category, content }: Material["facts"][number]): Line => {
  const line = (text: string) => () => ({ property: category, value: text, id });
  return content.length > LONG
    ? [line(content), line(clip(content, LONG)), line(clip(content, 2 * SHORT))]
    : [line(content), line(clip(content, 2 * SHORT))];
};

const documentLine = ({ id, type, title, date, snippet }: Material["documents"][number]): Line => {
  const line = (text: string) => () => ({ type, title: title && clip(title, 200), date, snippet: text, id });
  return [line(clip(snippet, 400)), line(clip(snippet, SHORT))];
};

const stakeholderLine = (member: Member): Line => [
  () => ({
    name: clip(nameOf(member), SHORT),
    role: member.jobTitle && clip(member.jobTitle, SHORT),
    entity_id: member.id,
  }),
];

const taskLine = ({ id, title, due, assignee }: OpenTask): Line => {
  const line = (length: number) => () => ({ title: clip(title, length), due, assignee, id });
  return [line(300), line(SHORT)];
};

/** First less of what it says, then fewer questions, at last only who and when. */
function conversationLine(conversation: Conversation, now: Date): Line {
  const { threadId, at, type, from, to, subject, text, asked, waitsFor } = conversation;
  const line = (said: number, length: number, questions: number) => () => ({
    when: formatTime(at),
    age_days: Math.max(0, Math.floor((now.getTime() - at.getTime()) / DAY_MS)),
    type,
    from: clip(from, SHORT),
    ...(to !== null && type !== "email_received" ? { to: clip(to, SHORT) } : {}),
    ...(subject && said > 0 ? { subject: clip(subject, SHORT) } : {}),
    ...(text && said > 0
      ? {
          snippet: shorten(text.slice(0, 4 * LONG), said),
        }
      : {}),
    ...(asked.length > 0 && questions > 0
      ? { asked: asked.slice(0, questions).map((question) => clip(question, length)) }
      : {}),
    ...(waitsFor ? { waits_for: waitsFor } : {}),
    thread_id: threadId,
  });
  return [line(400, 300, 5), line(160, 160, 3), line(SHORT, SHORT, 1), line(0, 0, 0)];
}

/** The intent's best events in full and in brief, then the number of all events of each type that has more of them. */
function timelineOf(shape: Shape, { events, counts, entity, now }: Material): Line[] {
  const ranked = rankEvents(shape, events, now).slice(0, shape.full + shape.brief);
  const listed = Map.groupBy(ranked, (event) => typeOf(event.property));
  const more = counts.filter(({ type, count }) => count > (listed.get(type)?.length ?? 0));
  return [
    ...ranked.map((event, index) => eventLine(event, index < shape.full, entity.id)),
    ...more.map(
      ({ type, count, latest }): Line => [
        () => ({ when: formatTime(latest), type: clip(type, SHORT), tier: "count", count }),
      ],
    ),
  ];
}

function eventLine(event: EventRow, full: boolean, ownId: string): Line {
  const label = labelOf(event.value);
  const whose = event.entityId === ownId ? null : nameOf(event);
  const parts = [whose, label].filter((part) => part !== null).join(": ");
  const line = (tier: "full" | "brief", length: number) => () => ({
    when: formatTime(event.observedAt),
    type: clip(typeOf(event.property), SHORT),
    ...(parts === "" ? {} : { summary: clip(parts, length) }),
    tier,
    id: event.id,
  });
  return full ? [line("full", LONG), line("brief", SHORT)] : [line("brief", SHORT)];
}

/** Lines of the timeline in the order of time, newest first, counts last. They begin with `{"when":"`, which sorts. */
const inTime = (lines: readonly string[]): string[] => {
  const counts = lines.filter((line) => line.includes('"tier":"count"'));
  const events = lines.filter((line) => !counts.includes(line));
  const latestFirst = (a: string, b: string) => (a < b ? 1 : -1);
  return [...events.sort(latestFirst), ...counts.sort(latestFirst)];
};

/** Clipped until its JSON form costs at most `tokens`. */
export function clipTokens(text: string, tokens: number): string {
  for (let length = Math.min(text.length, tokens * 5); length > 1; length = Math.floor(length * 0.7)) {
    const clipped = clip(text, length);
    if (countJson(JSON.stringify(clipped)) <= tokens) return clipped;
  }
  return "…";
}

/** A value short enough for a line: long text is clipped, a large structure becomes the beginning of its JSON. */
export function clipValue(value: unknown, length: number): unknown {
  if (typeof value === "string") return clip(value, length);
  if (typeof value !== "object" || value === null) return value;
  const json = JSON.stringify(value);
  return json.length <= length ? value : clip(json, length);
}
