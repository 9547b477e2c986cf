import { giveTurn } from "#lib/core/turns.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { stemsOf } from "#lib/domain/knowledge/notes/service.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { currentKey } from "#lib/settings/boot.ts";
import { type MessageWords, markMissing, takeUnread, type UnreadMessage, updateWords } from "../queries/words.ts";
import { type Audience, blinder, EVERYBODY } from "../rules/blind-words.ts";
import { reaches } from "../words.ts";
import { type Content, readContent } from "./content.ts";

/** Reads the words of messages, so that they are found. */
const indexing = jobKind("messages:index", { label: "Make mail findable", ids: [], once: true, gatherMs: 500 });

const BATCH = 50;
/** Messages that are read before others get the event loop: one takes up to half a millisecond. */
const AT_ONCE = 4;

/** Messages that have no words yet, or whose words are for others now, get them by a job. */
export const queueIndexing = ({ db }: Pick<Ctx, "db">): Promise<void> => enqueue(db, indexing, {});

/** By the hour: what an earlier release stored, and what was hashed with a key that is no longer the first. */
export async function queueMissing(ctx: Pick<Ctx, "db">): Promise<void> {
  if (await markMissing(ctx.db, currentKey().id)) await queueIndexing(ctx);
}

export const runIndexing = resumable(indexing, {
  turnMs: 1_000,
  begin:
    ({ caller: { workspaceId } }) =>
    async () =>
      (await withWorkspace(workspaceId, (db) => indexSome({ db, workspaceId }), { operation: indexing.name })) < BATCH
        ? "done"
        : "more",
});

/** Reads a batch; returns how many messages there were. */
async function indexSome({ db, workspaceId }: Pick<Ctx, "db" | "workspaceId">): Promise<number> {
  const messages = await takeUnread(db, BATCH);
  const contents: (Content | null)[] = [];
  for (const [place, { id, content }] of messages.entries()) {
    contents.push(content === null ? null : readContent(id, content));
    await giveTurn(place, AT_ONCE);
  }
  const heads = await stemsOf(
    db,
    contents.map((content) => (content ? [content.subject ?? "", ...Object.values(content.names)].join("\n") : "")),
  );
  const texts = await stemsOf(
    db,
    contents.map((content) => content?.text ?? ""),
  );
  const key = currentKey();
  const blinders = new Map<Audience, (word: string) => string>();
  const blind = (audience: Audience, word: string): string => {
    const known = blinders.get(audience) ?? remembering(blinder(key, workspaceId, audience));
    blinders.set(audience, known);
    return known(word);
  };
  const words: MessageWords[] = [];
  for (const [place, message] of messages.entries()) {
    const [head, text] = [[...(heads[place] ?? [])], [...(texts[place] ?? [])]];
    const blinded = audiencesOf(message).flatMap(({ audience, whole }) =>
      [...new Set(whole ? [...head, ...text] : head)].map((word) => blind(audience, word)),
    );
    words.push({ id: message.id, words: blinded });
    await giveTurn(place, AT_ONCE);
  }
  await updateWords(db, words, key.id);
  return messages.length;
}

/** Who may see which words: who has the message all of them, everyone what is shared. */
function audiencesOf({ shared, holders }: UnreadMessage): { audience: Audience; whole: boolean }[] {
  const own = [...new Set(holders.map(({ userId }) => userId))].map((audience) => ({ audience, whole: true }));
  if (!reaches(shared, "subject")) return own;
  return [...own, { audience: EVERYBODY, whole: reaches(shared, "everything") }];
}

/** Words come again and again in a batch. */
function remembering(of: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const made = of(word);
    known.set(word, made);
    return made;
  };
}
