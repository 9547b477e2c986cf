/** A sentence, or the turn of a speaker: the unit that passages are made of. */
export type Sentence = {
  /** where it begins, in code points (as the database counts) */
  start: number;
  /** where what follows it begins, in UTF-16 code units (as a string counts) */
  next: number;
  /** its words as they are written */
  words: string[];
};

/** A run of words without a full stop is cut here, so that a passage stays short. */
const MAX_WORDS = 48;

const OTHER = 0;
const WORD = 1;
/** joins two words into one when it is directly between them */
const JOINER = 2;
const END = 3;
const LINE = 4;
const SPACE = 5;

const classes = new Uint8Array(65_536).fill(255);
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

function classOf(code: number): number {
  const cached = classes[code];
  if (cached !== undefined && cached !== 255) return cached;
  const kind = classify(String.fromCodePoint(code));
  if (code < 65_536) classes[code] = kind;
  return kind;
}

function classify(character: string): number {
  if (WORD_CHARACTER.test(character)) return WORD;
  if ("-'’.,&".includes(character)) return character === "." ? END : JOINER;
  if ("!?…".includes(character)) return END;
  if ("。！？".includes(character)) return LINE;
  if (/[\n\r\u2028\u2029]/.test(character)) return LINE;
  return /\s/.test(character) ? SPACE : OTHER;
}

/**
 * Cuts a text into sentences and lines, from a position (in UTF-16 units) on. `codePoints` is how many code points come
 * before it. Lazy, so that a long text can be read in steps.
 */
export function* sentencesOf(text: string, from = 0, codePoints = from): Generator<Sentence> {
  let words: string[] = [];
  let start = codePoints;
  let begun = false;
  let pairs = from - codePoints; // surrogate pairs passed, so that position - pairs counts code points
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) as number;
    const width = code > 0xffff ? 2 : 1;
    const kind = classOf(code);
    if (kind === WORD) {
      if (!begun) start = at - pairs;
      begun = true;
      const end = endOfWord(text, at);
      words.push(text.slice(at, end.at));
      at = end.at;
      pairs += end.pairs;
      if (words.length < MAX_WORDS) continue;
    } else {
      if (!begun && kind !== SPACE && kind !== LINE) {
        start = at - pairs;
        begun = true;
      }
      at += width;
      pairs += width - 1;
      if (kind !== LINE && !(kind === END && isGap(text, at))) continue;
    }
    if (words.length > 0) yield { start, next: at, words };
    words = [];
    begun = false;
  }
  if (words.length > 0) yield { start, next: at, words };
}

/** A word goes on through one joiner that has a word on both sides: `follow-up`, `O'Brien`, `45,000`, `acme.com`. */
function endOfWord(text: string, from: number): { at: number; pairs: number } {
  let at = from;
  let pairs = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) as number;
    const kind = classOf(code);
    if (kind === WORD) {
      at += code > 0xffff ? 2 : 1;
      pairs += code > 0xffff ? 1 : 0;
    } else if (isJoint(kind, text, at)) {
      at += 1;
    } else break;
  }
  return { at, pairs };
}

const isJoint = (kind: number, text: string, at: number): boolean => {
  if (kind !== JOINER && text[at] !== ".") return false;
  if (text[at] === "," && !(isDigit(text, at - 1) && isDigit(text, at + 1))) return false;
  return at + 1 < text.length && classOf(text.codePointAt(at + 1) as number) === WORD;
};

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

/** A full stop ends a sentence only before white space, so that `3.5` and `acme.com` stay whole. */
const isGap = (text: string, at: number): boolean => {
  if (at >= text.length) return true;
  const kind = classOf(text.codePointAt(at) as number);
  return kind === SPACE || kind === LINE || text[at] === '"' || text[at] === "”" || text[at] === ")";
};
