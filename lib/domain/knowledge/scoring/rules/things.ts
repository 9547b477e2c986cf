import { vocabulary, wordsOf } from "#lib/domain/crm/scores/service.ts";

const { countriesOf, countryNames, regionsOf, sectorsOf, technologies } = vocabulary;

const people: Readonly<Record<string, string>> = {
  american: "US",
  british: "GB",
  german: "DE",
  austrian: "AT",
  swiss: "CH",
  french: "FR",
  dutch: "NL",
  belgian: "BE",
  spanish: "ES",
  italian: "IT",
  portuguese: "PT",
  polish: "PL",
  swedish: "SE",
  danish: "DK",
  norwegian: "NO",
  finnish: "FI",
  irish: "IE",
  canadian: "CA",
  australian: "AU",
  indian: "IN",
  japanese: "JP",
  brazilian: "BR",
  mexican: "MX",
};

/** The countries and regions a clause names, as the feature `region` has them. */
export function placesIn(text: string): string[] {
  // Continents with "america" in their names are no country, and "us" is one only in capitals.
  const words = wordsOf(text);
  const codes = [
    ...countriesOf(words),
    ...(/\bUSA?\b|\bU\.S\./.test(text) ? ["US"] : []),
    ...Object.entries(people).flatMap(([word, code]) => (words.includes(` ${word} `) ? [code] : [])),
  ];
  const speaking = /german[\s-]speaking/i.test(text) ? codes.filter((code) => code !== "DE") : codes;
  return [...new Set([...regionsOf(words), ...speaking.map((code) => countryNames.get(code) ?? code)])];
}

/** The industries a clause names. */
export const industriesIn = (text: string): string[] => sectorsOf(wordsOf(text));

const products = Object.entries(technologies).map(([name, phrases]) => ({
  name,
  patterns: phrases.map((phrase) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(phrase)}(?![\\p{L}\\p{N}])`, "giu")),
}));

/** The products a clause names: in prose only with a capital or a digit, since many are ordinary words. */
export const technologiesIn = (text: string): string[] =>
  products.flatMap(({ name, patterns }) =>
    patterns.some((pattern) =>
      [...text.matchAll(pattern)].some(([match]) => /[\p{Lu}\d]/u.test(match) || match === "dbt"),
    )
      ? [name]
      : [],
  );

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
}

const rounds =
  /\b(?:pre-?seed|seed|series\s+[a-f]|bootstrapped)\b(?:\s*(?:-|–|to|through|and|or|\/)\s*(?:series\s+)?([a-f])\b)?/giu;

/** The rounds of funding a clause names. */
export const fundingIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(rounds)].flatMap(([match, further]) => {
      const first = match
        .toLowerCase()
        .replace(/\s+/g, " ")
        .replace(/\s*(?:-|–|to|through|and|or|\/)\s*(?:series\s+)?[a-f]$/, "");
      if (!further) return [first];
      const from = /series ([a-f])/.exec(first)?.[1] ?? "a";
      const letters = "abcdef".slice("abcdef".indexOf(from), "abcdef".indexOf(further.toLowerCase()) + 1);
      return [first, ...[...letters].map((letter) => `series ${letter}`)];
    }),
  ),
];
