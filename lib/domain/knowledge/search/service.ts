import type { z } from "zod";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type FoundMail, findMail } from "#lib/domain/knowledge/messages/service.ts";
import {
  entityIdsOf,
  type FoundNote,
  findNotesFor,
  type Meaning,
  meaningOf,
} from "#lib/domain/knowledge/notes/service.ts";
import * as contract from "./contract.ts";

type Input = z.output<typeof contract.searchNotes.input>;

/** Finds notes, and mail where it is asked for; a question is sent for its meaning before the transaction begins, for notes only. */
export const searchNotes = implement(contract.searchNotes, search, {
  transaction: "writing",
  before: async (_caller, input) => (noteTypesOf(input)?.length === 0 ? null : meaningOf(input.question)),
});

/** The kinds of notes that are asked for; null for all. */
function noteTypesOf({ type, types }: Input) {
  const notes = types?.flatMap((each) => (each === "email" ? [] : [each])) ?? null;
  if (type === undefined) return notes;
  return notes === null || notes.includes(type) ? [type] : [];
}

async function search(ctx: Ctx, input: Input, meaning: Meaning) {
  const { question, focus, types, limit } = input;
  const entityIds = focus === undefined ? null : await entityIdsOf(ctx, focus);
  const asked = { question, entityIds, limit };
  const ofNotes = noteTypesOf(input);
  const notes: (FoundNote | FoundMail)[] =
    ofNotes?.length === 0 ? [] : await findNotesFor(ctx, { ...asked, types: ofNotes }, meaning);
  const mails = types?.includes("email") ? await findMail(ctx, asked) : [];
  const documents = [...notes, ...mails].sort((a, b) => b.similarity - a.similarity).slice(0, limit);
  return {
    documents,
    count: documents.length,
    mode: meaning !== null && "vector" in meaning ? ("hybrid" as const) : ("lexical" as const),
    ...(meaning && "warning" in meaning ? { warning: meaning.warning } : {}),
  };
}
