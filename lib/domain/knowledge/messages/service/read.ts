import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { pageOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { idsWithPeople, resolveForRead } from "#lib/domain/knowledge/contacts/service.ts";
import { evidenceIds, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  findByIds,
  findContactsOf,
  findLastEachWay,
  findLastThread,
  findLatest,
  findMessages,
  findThreads,
  type ThreadRow,
} from "../queries/visible.ts";
import { questionsIn } from "../rules/questions.ts";
import { snippetOf, viewOfMessage } from "../serialize.ts";
import { noteOpened } from "./opened.ts";

const cursors = sealedCursorsOf(contract.listThreads.name, z.tuple([Timestamp, Id]));

/** The member whose own mail and meetings the caller sees; null: only what the workspace sees. */
export const viewerOf = ({ viewer }: Pick<Ctx, "viewer">): string | null => viewer ?? null;

export const listThreads = implement(contract.listThreads, threadsOf);

/** Also of the preview, whose caller has no viewer. */
export async function threadsOf(ctx: Ctx, { focus, limit, cursor }: z.output<typeof contract.listThreads.input>) {
  const [at, thread] = cursor === undefined ? [] : cursors.decode(ctx, cursor);
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const behind = at && thread ? { latest: new Date(at), thread } : null;
  const rows = await readThreads(ctx, entity, { behind, limit: limit + 1 });
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, (row) => [formatTime(row.latest), row.thread]);
  return { entity_id: entity.id, threads: await threadsShown(ctx, shown), limit, ...next };
}

export const getThread = implement(contract.getThread, async (ctx, { id }) => {
  const found = await threadWith(ctx, id);
  if (!found) throw new Fault("thread_not_found");
  noteOpened(ctx, "mail.read", id, found.messages);
  return found;
});

/** One thread as it is listed; throws 404 `thread_not_found`. */
export async function threadShown(ctx: Ctx, id: string): Promise<contract.Thread> {
  const found = await threadWith(ctx, id);
  if (!found) throw new Fault("thread_not_found");
  return found.thread;
}

/** A thread as it is listed, with its messages; null when the viewer may not know of it. */
export async function threadWith(ctx: Ctx, id: string) {
  const messages = await findMessages(ctx.db, viewerOf(ctx), id);
  const last = messages.at(-1);
  const [thread] = last
    ? await threadsShown(ctx, [
        { thread: id, latest: last.sentAt, count: messages.length, mine: messages.some(({ mine }) => mine) },
      ])
    : [];
  return thread ? { thread, messages: messages.map(viewOfMessage) } : null;
}

export const listMessages = implement(contract.listMessages, async (ctx, { ids }) => ({
  messages: (await findByIds(ctx.db, viewerOf(ctx), ids)).map((row) => {
    const { id, thread_id, subject, text } = viewOfMessage(row);
    return { id, thread_id, subject, snippet: snippetOf(text) };
  }),
}));

/** The threads of a person, or of a company's people. */
async function readThreads(
  ctx: Ctx,
  entity: ResolvedEntity,
  page: { behind: { latest: Date; thread: string } | null; limit: number },
): Promise<ThreadRow[]> {
  return findThreads(ctx.db, viewerOf(ctx), { entities: await idsWithPeople(ctx, entity), ...page });
}

/** Threads with their last messages and contacts. */
async function threadsShown(ctx: Ctx, rows: readonly ThreadRow[]): Promise<contract.Thread[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ thread }) => thread);
  const [latest, contacts] = await together([
    findLatest(ctx.db, viewerOf(ctx), ids),
    findContactsOf(ctx.db, viewerOf(ctx), ids),
  ]);
  const labels = await findLabels(
    ctx.db,
    contacts.map(({ entityId }) => entityId),
  );
  const lastOf = new Map(latest.map((row) => [row.thread, viewOfMessage(row)]));
  return rows.flatMap(({ thread, latest: at, count, mine }) => {
    const last = lastOf.get(thread);
    if (!last) return [];
    const theirs = contacts.filter((one) => one.thread === thread);
    return {
      id: thread,
      subject: last.subject,
      last_at: formatTime(at),
      messages: count,
      last: { type: last.type, from: last.from, snippet: snippetOf(last.text) },
      waits_for: waitsFor(last.type),
      contacts: theirs.map(({ entityId }) => ({ entity_id: entityId, name: nameOf(labels.get(entityId) ?? {}) })),
      shared: last.shared,
      mine,
    };
  });
}

const waitsFor = (type: contract.Thread["last"]["type"]): "us" | "them" | null =>
  type === "email_received" ? "us" : type === "email_sent" ? "them" : null;

/** The last conversation with a person, or with a company's people. `asked`: what the last message from them asks. */
export type Conversation = {
  threadId: string;
  at: Date;
  type: "email_sent" | "email_received" | "email_bounced";
  from: string;
  to: string | null;
  subject: string | null;
  text: string | null;
  asked: string[];
  waitsFor: "us" | "them" | null;
};

/** Those of a company's people, the most recently active ones, whose mail a context looks for. */
const MOST_LOOKED_AT = 50;

/** Null: there is none that the viewer may know of. */
export async function readConversation(ctx: Ctx, entity: ResolvedEntity): Promise<Conversation | null> {
  const { type } = entity;
  if (type === "workspace") return null;
  const viewer = viewerOf(ctx);
  const entities = evidenceIds(entity);
  const thread = await findLastThread(ctx.db, viewer, { type, entities, people: MOST_LOOKED_AT });
  if (thread === undefined) return null;
  const rows = await findLastEachWay(ctx.db, viewer, thread);
  const [last] = rows.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
  if (!last) return null;
  noteOpened(ctx, "mail.read", thread, rows);
  const { thread_id, type: lastType, from, to, subject, text } = viewOfMessage(last);
  const received = rows.find((row) => row.type === "email_received");
  const [first] = to;
  return {
    ...{ threadId: thread_id, at: last.sentAt, type: lastType as Conversation["type"], subject, text },
    ...{ from: from.name ?? from.address, to: first ? (first.name ?? first.address) : null },
    asked: questionsIn((received && viewOfMessage(received).text) ?? ""),
    waitsFor: waitsFor(lastType),
  };
}
