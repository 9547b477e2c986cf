/** Half of what people choose is guessed from a short list: these passwords are refused however long they are. */

/** Words that are in a password made for this product. */
const ofProduct = ["rapport"];
const SHORTEST_PIECE = 3;
/** No well-known one is longer. */
const LONGEST_KNOWN = 20;
const MOST_PIECES = 2;
const MOST_OTHERS = 2;

/** Well-known passwords, in small letters. Read when someone first chooses a password: some megabytes that few processes need. */
const wellKnown = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  known ??= new Set(dictionary["passwords-common"].filter((each) => each.length > SHORTEST_PIECE));
  return known;
};
let known: ReadonlySet<string> | undefined;

/** The words of names and addresses that belong to whose password it is: `ada@acme.example` has three. */
const wordsOf = (names: readonly string[]): string[] =>
  names
    .flatMap((name) =>
      name
        .normalize("NFKC")
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((word) => word.length >= SHORTEST_PIECE);

/** A few characters over and over: `aaaaaaaaaaaa`, `abc1abc1abc1`. */
const repeats = (text: string): boolean => /^(.{1,6}?)\1+$/su.test(text);

/** A year, `123`, `0000`: what people put behind a word. */
const isNumber = (text: string): boolean => /^\d{3,4}$/.test(text);

/**
 * True for a well-known password, and for one that is made of at most two of them or short numbers, any of the person's own words
 * (`names`), and at most two other characters.
 */
export async function isEasyToGuess(password: string, names: readonly string[]): Promise<boolean> {
  const text = password.normalize("NFKC").toLowerCase();
  if (repeats(text)) return true;
  const list = await wellKnown();
  const own = new Set([...ofProduct, ...wordsOf(names)]);
  const longest = Math.max(LONGEST_KNOWN, ...[...own].map((word) => word.length));
  const tried = new Set<string>();

  /** Whether what is left from here on can be read so, with so many pieces and other characters. */
  const reads = (from: number, pieces: number, others: number): boolean => {
    if (from === text.length) return true;
    const state = `${from} ${pieces} ${others}`;
    if (tried.has(state)) return false;
    tried.add(state);
    for (let end = Math.min(text.length, from + longest); end >= from + SHORTEST_PIECE; end--) {
      const part = text.slice(from, end);
      if (own.has(part) && reads(end, pieces, others)) return true;
      if (pieces > 0 && (list.has(part) || isNumber(part)) && reads(end, pieces - 1, others)) return true;
    }
    return others > 0 && reads(from + 1, pieces, others - 1);
  };
  return reads(0, MOST_PIECES, MOST_OTHERS);
}
