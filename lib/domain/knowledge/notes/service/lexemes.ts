import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "#lib/db/handle.ts";
import { findStems } from "../queries/lexemes.ts";
import { type Lexeme, lexemeOf } from "../rules/lexemes.ts";
import { irregular, type RelatedStems, relate, thesaurus } from "../rules/thesaurus.ts";

/** Forms remembered by this process; English text of any amount rarely has more. */
const MOST = 200_000;

const remembered = singleton("note-lexemes", () => ({
  lexemes: new Map<string, Lexeme>(),
  related: null as ReadonlyMap<string, RelatedStems> | null,
}));

/**
 * The lexemes of these forms, and possibly more. Stems come from the database's English dictionary and are cached: the
 * stem of a form never changes.
 */
export async function findLexemes(db: Db, forms: ReadonlySet<string>): Promise<ReadonlyMap<string, Lexeme>> {
  if (remembered.lexemes.size > MOST) remembered.lexemes = new Map(); // callers that hold the old map keep it
  const { lexemes } = remembered;
  const unknown = [...forms].filter((form) => !lexemes.has(form));
  if (unknown.length === 0) return lexemes;
  for (const { form, term } of await findStems(db, unknown)) lexemes.set(form, lexemeOf(form, term));
  return lexemes;
}

/** For each stem of the thesaurus, what is related to it. */
export async function findRelated(db: Db): Promise<ReadonlyMap<string, RelatedStems>> {
  if (remembered.related) return remembered.related;
  const lexemes = await findLexemes(db, new Set([...thesaurus, ...irregular].flat()));
  const termOf = (form: string) => lexemes.get(form)?.term ?? null;
  remembered.related = relate(thesaurus, irregular, termOf);
  return remembered.related;
}
