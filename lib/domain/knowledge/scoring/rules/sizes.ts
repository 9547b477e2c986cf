/** How many people work there, from and to; null: no limit. `inWords`: of a word such as mid-market. */
export type Size = { from: number | null; to: number | null; inWords?: true };

const NUMBER = String.raw`(\d[\d.,'’]*\s?k?)\+?`;
const PEOPLE = String.raw`(?:employees?|people|persons?|staff|ftes?|headcount|team\s+members|seats|workers|mitarbeiter\w*|heads)`;
const BEFORE = String.raw`(?:employees|employee\s+count|company\s+size|headcount|team\s+size|size|staff)(?:\s+(?:of|is|are|between|from))?\s*[:=]?\s*`;
const TO = String.raw`\s*(?:-|–|—|to|and|bis)\s*`;

const range = new RegExp(`${NUMBER}(?:\\s*${PEOPLE})?${TO}${NUMBER}[\\s-]*${PEOPLE}`, "giu");
const labelled = new RegExp(`\\b${BEFORE}${NUMBER}${TO}${NUMBER}`, "giu");
const least = new RegExp(
  `(?:at\\s+least|more\\s+than|over|above|from|minimum(?:\\s+of)?|min\\.?|starting\\s+at|≥|>=?|ab)\\s*${NUMBER}[\\s-]*${PEOPLE}`,
  "giu",
);
const plus = new RegExp(
  String.raw`(\d[\d.,'’]*\s?k?)\+[\s-]*${PEOPLE}|(\d[\d.,'’]*\s?k?)\s+(?:or\s+more|and\s+(?:up|above|more))\s+${PEOPLE}`,
  "giu",
);
const most = new RegExp(
  `(?:up\\s+to|less\\s+than|fewer\\s+than|under|below|at\\s+most|max(?:imum)?(?:\\s+of)?\\.?|smaller\\s+than|≤|<=?|bis)\\s*${NUMBER}[\\s-]*${PEOPLE}`,
  "giu",
);

const words: readonly (readonly [RegExp, Size])[] = [
  [
    /\b(?:smbs?|smes?|small\s+(?:and|&|to)\s+(?:mid(?:dle)?|medium)[\s-]*(?:sized?)?|small\s+business(?:es)?|kmu)\b/iu,
    { from: 10, to: 250 },
  ],
  [/\b(?:mid[\s-]*market|mid[\s-]*size[d]?|medium[\s-]*sized|mittelstand)\b/iu, { from: 100, to: 1_000 }],
  [
    /\b(?:enterprises?|large\s+(?:companies|organi[sz]ations|businesses)|corporations|fortune\s+\d+)\b/iu,
    { from: 1_000, to: null },
  ],
];

/** The sizes a clause names: in numbers of people, else in words such as mid-market. Amounts of money are none. */
export function sizesIn(text: string, { inWords }: { inWords: boolean }): Size[] {
  const sizes: Size[] = [];
  let rest = text;
  const take = (pattern: RegExp, size: (numbers: number[]) => Size) => {
    rest = rest.replaceAll(pattern, (...match: unknown[]) => {
      const groups = match.slice(1, -2).filter((part): part is string => typeof part === "string");
      const numbers = groups.flatMap((digits) => numberOf(digits) ?? []);
      if (numbers.length > 0) sizes.push(size(numbers));
      return " ";
    });
  };
  const between = ([a = 0, b = 0]: number[]): Size => ({ from: Math.min(a, b), to: Math.max(a, b) });
  take(range, between);
  take(labelled, between);
  take(least, ([from = null]) => ({ from, to: null }));
  take(most, ([to = null]) => ({ from: null, to }));
  take(plus, ([from = null]) => ({ from, to: null }));
  if (sizes.length > 0 || !inWords) return sizes;
  return words.flatMap(([pattern, size]) => (pattern.test(text) ? [{ ...size, inWords: true as const }] : []));
}

function numberOf(text: string): number | null {
  const digits = text.replaceAll(/[,'’]|\.(?=\d{3}(?!\d))|\s|k$/gi, "").replace(/\.$/, "");
  const number = Number(digits) * (/k\s*$/i.test(text) ? 1_000 : 1);
  return Number.isFinite(number) && number >= 0 && number < 10_000_000 ? number : null;
}

/** Numbers say it best: where there are some, words that are said elsewhere widen nothing. */
export function plainestOf(sizes: readonly Size[]): readonly Size[] {
  const inNumbers = sizes.filter(({ inWords }) => !inWords);
  return inNumbers.length > 0 ? inNumbers : sizes;
}

/** One size that holds all of several. */
export const spanOf = (sizes: readonly Size[]): Size | null =>
  sizes.length === 0
    ? null
    : {
        from: sizes.some(({ from }) => from === null) ? null : Math.min(...sizes.map(({ from }) => from ?? 0)),
        to: sizes.some(({ to }) => to === null) ? null : Math.max(...sizes.map(({ to }) => to ?? 0)),
      };
