import type pg from "pg";
import { conversations } from "./conversations.ts";
import { randomOf } from "./relevance.ts";

/**
 * Fills a workspace with notes of invented sales talk: English function words for half of it, then the vocabulary of the
 * relevance set, then a long tail of invented names and products, by Zipf's law. Lengths are log-normal around 150 words.
 */
export type Crowd = { notes: number; entities: number; seed: number };

const FUNCTION_WORDS =
  "the to and a of that it in is for we they you on with have this be are not as but was at will our he she or if from so can do by an about what has their would all there when who which them one out up more how some just no than into".split(
    " ",
  );

/** A rank of Zipf's law with exponent 1 among `many`, from a number between 0 and 1. */
const zipf = (many: number, random: number): number =>
  Math.min(many - 1, Math.floor(Math.exp(random * Math.log(many + 1)) - 1));

const SYLLABLES =
  "ba be bo ca ce co da de do fa fe fi ga go ha he ka ke ki la le lo ma me mi na ne no pa pe po ra re ri sa se so ta te to va ve vi wa xa ze zo".split(
    " ",
  );

/** The n-th invented word: the same for every run. */
function invented(index: number): string {
  let word = "";
  for (let rest = index + SYLLABLES.length * SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return word;
}

export const INVENTED = 40_000;

export function vocabulary(): string[] {
  const words = new Map<string, number>();
  for (const { content } of conversations) {
    for (const [word] of content.toLowerCase().matchAll(/[a-z]{3,}/g)) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const vocabulary = [...words]
    .sort((a, b) => b[1] - a[1])
    .map(([word]) => word)
    .filter((word) => !FUNCTION_WORDS.includes(word));
  return [...vocabulary, ...Array.from({ length: INVENTED }, (_, index) => invented(index))];
}

/** A note's text; `say` gives the words. */
export function talk(random: () => number, words: readonly string[]): string {
  const length = Math.min(6000, Math.round(150 * Math.exp(0.7 * normal(random))));
  const parts: string[] = [];
  let inSentence = 0;
  let turn = 8 + Math.floor(random() * 10);
  for (let index = 0; index < length; index++) {
    const word =
      random() < 0.48 ? FUNCTION_WORDS[zipf(FUNCTION_WORDS.length, random())] : words[zipf(words.length, random())];
    const first = inSentence === 0;
    inSentence++;
    const end = inSentence >= turn;
    parts.push(
      `${first ? (word ?? "").charAt(0).toUpperCase() + (word ?? "").slice(1) : word}${end ? (random() < 0.4 ? ".\n" : ".") : ""}`,
    );
    if (end) {
      inSentence = 0;
      turn = 6 + Math.floor(random() * 14);
    }
  }
  return `${parts.join(" ")}.`;
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const TYPES = ["note", "meeting_notes", "transcript", "research", "meeting_brief", "pre_meeting"];

/**
 * Writes entities and notes with one connection that may see every workspace; the service builds the index afterwards.
 */
export async function writeCrowd(
  client: pg.Client,
  workspaceId: string,
  { notes, entities, seed }: Crowd,
): Promise<void> {
  const random = randomOf(seed);
  const words = vocabulary();
  await client.query("BEGIN");
  await client.query("SELECT set_config('rapport.workspace_id', $1, true)", [workspaceId]);
  const people = await client.query<{ id: string }>(
    "INSERT INTO entities (workspace_id, id, type) SELECT $1, gen_random_uuid(), 'person' FROM generate_series(1, $2) RETURNING id",
    [workspaceId, entities],
  );
  const ids = people.rows.map(({ id }) => id);
  for (let written = 0; written < notes; written += 500) {
    const many = Math.min(500, notes - written);
    const rows = Array.from({ length: many }, () => ({
      entity: ids[zipf(ids.length, random())],
      type: TYPES[zipf(TYPES.length, random())],
      date: new Date(Date.UTC(2026, 0, 1) - Math.floor(random() * 700) * 86_400_000),
      content: talk(random, words),
    }));
    await client.query(
      `INSERT INTO notes (workspace_id, id, entity_id, type, title, date, date_only, content, source, actor, created_at)
       SELECT $1, gen_random_uuid(), n.entity, n.type::note_type, NULL, n.date, true, n.content, 'api', 'bench', now()
       FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::text[]) AS n(entity, type, date, content)`,
      [
        workspaceId,
        rows.map((row) => row.entity),
        rows.map((row) => row.type),
        rows.map((row) => row.date),
        rows.map((row) => row.content),
      ],
    );
  }
  await client.query(
    "INSERT INTO note_remainders (workspace_id, note_id, part, position) SELECT workspace_id, id, 0, 0 FROM notes WHERE workspace_id = $1 AND actor = 'bench'",
    [workspaceId],
  );
  await client.query("COMMIT");
}
