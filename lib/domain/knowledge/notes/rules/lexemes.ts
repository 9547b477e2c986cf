/** A word form as the index has it. `term` is null for a stop word, which is not indexed. */
export type Lexeme = {
  /** the stem */
  term: string | null;
  /** 32 bits of the stem: what a word stream holds */
  hash: number;
  /** 8 bits of the form itself: distinguishes the exact form from others of its stem */
  mark: number;
};

/** FNV-1a over UTF-16 code units, unsigned. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

export const lexemeOf = (form: string, term: string | null): Lexeme => ({
  term,
  hash: term === null ? 0 : hashOf(term),
  mark: (hashOf(form) >>> 11) & 0xff,
});
