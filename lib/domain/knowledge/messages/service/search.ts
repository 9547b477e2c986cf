import type { Ctx } from "#lib/domain/implement.ts";
import { askedStems, rankTexts } from "#lib/domain/knowledge/notes/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { formatTime } from "#lib/text/time.ts";
import { findByWords } from "../queries/visible.ts";
import { blinder, EVERYBODY } from "../rules/blind-words.ts";
import { viewOfMessage } from "../serialize.ts";
import { viewerOf } from "./read.ts";

/** Messages that are opened and ranked: those with most words of the question, of equal ones the latest. */
const MOST_OPENED = 100;

export type FoundMail = {
  id: string;
  thread_id: string;
  entity_id: string;
  type: "email";
  title: string | null;
  date: string;
  similarity: number;
  snippet: string;
  match: "lexical";
};

/** The messages that answer a question by those of their words that the viewer may see. `entityIds`: null for everyone. */
export async function findMail(
  ctx: Ctx,
  { question, entityIds, limit }: { question: string; entityIds: readonly string[] | null; limit: number },
): Promise<FoundMail[]> {
  const asked = await askedStems(ctx.db, question);
  const audiences = [EVERYBODY, ...(ctx.viewer ? [ctx.viewer] : [])];
  const blinders = getBoot().secrets.encryptionKeys.flatMap((key) =>
    audiences.map((audience) => blinder(key, ctx.workspaceId, audience)),
  );
  const blind = (words: readonly string[]) => blinders.flatMap((of) => words.map(of));
  const rows = await findByWords(ctx.db, viewerOf(ctx), {
    ...{ near: blind(asked.near), exact: blind(asked.stems), entities: entityIds, limit: MOST_OPENED },
  });
  const seen = new Map(rows.map((row) => [row.id, { row, mail: viewOfMessage(row) }]));
  const texts = [...seen.values()].map(({ row, mail }) => ({
    ...{ id: row.id, date: row.sentAt, text: mail.text ?? "" },
    title: [mail.subject, mail.from.name, ...mail.to.map(({ name }) => name)].filter(Boolean).join("\n"),
  }));
  const ranked = await rankTexts(ctx.db, asked, texts, limit);
  return ranked.flatMap(({ id, similarity, snippet }) => {
    const found = seen.get(id);
    if (!found) return [];
    const { thread_id, subject } = found.mail;
    return {
      ...{ id, thread_id, entity_id: found.row.entityId, type: "email" as const, title: subject },
      ...{ date: formatTime(found.row.sentAt), similarity, snippet, match: "lexical" as const },
    };
  });
}
