/** Endings of stems between which a word changes: decide and decision, subscribe and subscription, deliver and delivery. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ["id", "is"],
  ["end", "ens"],
  ["and", "ans"],
  ["uc", "uct"],
  ["rib", "ript"],
  ["mit", "miss"],
  ["eiv", "ept"],
  ["liv", "liveri"],
  ["cov", "coveri"],
  ["ifi", "if"],
  ["pli", "plic"],
  ["ntain", "nten"],
  ["plain", "plan"],
  ["tain", "tent"],
  ["yz", "ysi"],
  ["fer", "ferr"],
  ["ee", "eement"],
  ["gre", "greement"],
  ["ay", "ayment"],
  ["ov", "ovement"],
  ["rgu", "rgument"],
];

/** What one word has more than another of its family, as stems: invest and investor, depart and departure. */
const SUFFIX =
  /^(?:al|ment|or|er|eri|ist|ur|atur|y|i|ness|ship|anc|enc|abl|ibl|ic|ful|less|ation|ition|ion|iv|ativ|ous|ish|ian|an|ean|es|hood|dom|age|ag)$/;

/** Shortest stem that gets another ending; of shorter ones too many are other words. */
const SHORTEST = 3;

/** Other stems of the word's family that the stemmer keeps apart; not all of them are words. */
export function familyOf(term: string): string[] {
  const words: string[] = [];
  for (const pair of ENDINGS) {
    for (const [from, to] of [pair, [pair[1], pair[0]] as const]) {
      if (term.endsWith(from) && term.length - from.length + Math.min(from.length, to.length) >= SHORTEST)
        words.push(term.slice(0, term.length - from.length) + to);
    }
  }
  return [...new Set(words)].filter((other) => other !== term);
}

/** True when one stem is the other with the ending of another kind of word. */
export function isDerived(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && SUFFIX.test(long.slice(short.length));
}
