import { fold } from "#lib/text/fold.ts";
import { type Region, regions } from "../words.ts";
import { finderOf, wordsOf } from "./text.ts";

const CODES =
  "AD AE AF AG AI AL AM AO AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GI GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KM KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PR PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW";

/** What countries are called besides their English names. A code alone is one only where a whole value is meant. */
const others: Readonly<Record<string, readonly string[]>> = {
  US: ["usa", "u.s", "u.s.a", "united states", "united states america"],
  GB: ["uk", "u.k", "great britain", "britain", "england", "scotland", "wales"],
  DE: ["deutschland", "germany"],
  AT: ["osterreich"],
  CH: ["schweiz", "suisse"],
  NL: ["holland", "netherlands"],
  ES: ["espana"],
  IT: ["italia"],
  AE: ["uae", "emirates"],
  KR: ["south korea", "korea"],
  CZ: ["czechia", "czech republic"],
  TR: ["turkey", "turkiye"],
  HK: ["hong kong"],
  BR: ["brasil"],
};

/** What a whole value may also be; inside a sentence these words mean other things. */
const whole: Readonly<Record<string, readonly string[]>> = {
  US: ["u.s.", "u.s.a.", "united states of america", "america"],
  DE: ["deu", "ger"],
  AT: ["aut"],
  CH: ["che", "sui"],
  FR: ["fra"],
  GB: ["gbr"],
  ES: ["esp"],
  IT: ["ita"],
  NL: ["nld"],
  PL: ["pol"],
  PT: ["prt"],
  BR: ["bra"],
  CA: ["can"],
};

const names = new Intl.DisplayNames(["en"], { type: "region" });
const codes = CODES.split(" ");

/** A country's English name by its two-letter code. */
export const countryNames: ReadonlyMap<string, string> = new Map(codes.map((code) => [code, names.of(code) ?? code]));

const find = finderOf(
  Object.fromEntries(codes.map((code) => [code, [countryNames.get(code) ?? code, ...(others[code] ?? [])]])),
);

/** Names in which another country's name occurs. */
const within: Readonly<Record<string, readonly string[]>> = {
  GN: ["GQ", "GW", "PG"],
  CG: ["CD"],
  NE: ["NG"],
  SD: ["SS"],
};

/** The countries a text names, as codes. */
export function countriesOf(words: string): string[] {
  const place = find(words);
  return place.filter((code) => !within[code]?.some((longer) => place.includes(longer)));
}

/** The countries that a whole value means: a name anywhere in it, or a code that is all of it. */
export function countriesOfValue(value: string): string[] {
  const code = value.trim().toUpperCase();
  if (countryNames.has(code)) return [code];
  return countriesOf(wordsOf(value));
}

/** What countries may be written as, folded: the code, and names in several languages. */
function readSpellings() {
  const languages = ["en", "de", "fr", "es", "pt", "it", "nl", "pl"].map(
    (language) => new Intl.DisplayNames([language], { type: "region" }),
  );
  const spellingsOf = (code: string): string[] => {
    const inLanguages = languages.map((language) => language.of(code) ?? code);
    return [...new Set([code, ...inLanguages, ...(others[code] ?? []), ...(whole[code] ?? [])].map(fold))];
  };
  const byCode = new Map(codes.map((code) => [code, spellingsOf(code)]));
  return { byCode, codeOf: new Map([...byCode].flatMap(([code, all]) => all.map((one) => [one, code]))) };
}
let read: ReturnType<typeof readSpellings> | null = null;
/** Read when first asked for: it takes as long as all other modules of scoring together. */
const spellings = () => {
  read ??= readSpellings();
  return read;
};

/** The code of the country that a whole value is a spelling of, in eight languages; null when it is none. */
export const countryOf = (text: string): string | null => spellings().codeOf.get(fold(text)) ?? null;

/** All that the country of this spelling may be written as, folded; the text itself when it is no country. */
export function countryLike(text: string): readonly string[] {
  const code = countryOf(text);
  return (code === null ? undefined : spellings().byCode.get(code)) ?? [fold(text)];
}

const eu = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" ");
const middleEast = "AE SA QA KW BH OM JO LB IL IQ IR EG".split(" ");
const northAfrica = "MA DZ TN LY EG".split(" ");
const africa = [...northAfrica, ..."ZA NG KE GH ET TZ UG RW SN CI CM ZM ZW BW NA MU AO MZ".split(" ")];
const europe = [...eu, ..."GB NO CH IS LI MC SM AD AL BA ME MK RS UA MD XK".split(" ")];
const southEastAsia = "SG MY ID TH VN PH KH LA MM BN".split(" ");
const asia = [...southEastAsia, ..."CN JP KR IN TW HK PK BD LK NP MN KZ".split(" ")];
const latinAmerica = "MX BR AR CL CO PE UY PY BO EC VE CR PA GT HN SV NI DO PR CU".split(" ");

/** Regions, the phrases that mean them, and their countries. */
const regionTable: Readonly<Record<Region, { phrases: readonly string[]; members: readonly string[] }>> = {
  EU: { phrases: ["eu", "european union"], members: eu },
  Europe: { phrases: ["europe", "european"], members: europe },
  DACH: { phrases: ["dach", "german speaking"], members: ["DE", "AT", "CH"] },
  Nordics: { phrases: ["nordics", "nordic", "scandinavia", "scandinavian"], members: ["SE", "NO", "DK", "FI", "IS"] },
  Benelux: { phrases: ["benelux"], members: ["BE", "NL", "LU"] },
  "UK and Ireland": { phrases: ["uki", "uk ireland"], members: ["GB", "IE"] },
  "North America": { phrases: ["north america", "north american"], members: ["US", "CA"] },
  "Latin America": { phrases: ["latam", "latin america", "south america"], members: latinAmerica },
  EMEA: { phrases: ["emea"], members: [...europe, ...middleEast, ...africa] },
  APAC: { phrases: ["apac", "asia pacific"], members: [...asia, "AU", "NZ"] },
  Asia: { phrases: ["asia"], members: asia },
  "Southeast Asia": { phrases: ["southeast asia", "south east asia"], members: southEastAsia },
  ANZ: { phrases: ["anz", "australia new zealand"], members: ["AU", "NZ"] },
  MENA: { phrases: ["mena"], members: [...middleEast, ...northAfrica] },
  "Middle East": { phrases: ["middle east"], members: middleEast },
  Africa: { phrases: ["africa", "african"], members: africa },
};

const findRegions = finderOf<string>(
  Object.fromEntries(regions.map((name): [string, readonly string[]] => [name, regionTable[name].phrases])),
) as (words: string) => Region[];

/** The regions a text names. One named only inside another's name, as Asia in APAC, is not meant. */
export function regionsOf(words: string): Region[] {
  const regions = findRegions(words);
  const longer: Partial<Record<Region, readonly Region[]>> = { Asia: ["APAC", "Southeast Asia"] };
  const southAfrica = words.includes(" south africa ");
  return regions.filter(
    (name) => !longer[name]?.some((other) => regions.includes(other)) && !(name === "Africa" && southAfrica),
  );
}

const regionsByCountry = new Map<string, Region[]>();
for (const name of regions)
  for (const code of regionTable[name].members)
    regionsByCountry.set(code, [...(regionsByCountry.get(code) ?? []), name]);

/** The regions a country is in. */
export const regionsWith = (code: string): readonly Region[] => regionsByCountry.get(code) ?? [];

/** As `countryLike`, of a region: the region's own names, and all its countries. A country is a region too. */
export function regionLike(text: string): readonly string[] {
  const folded = fold(text);
  const name = regions.find((one) => [fold(one), ...regionTable[one].phrases].includes(folded));
  if (name === undefined) return countryLike(text);
  const { phrases, members } = regionTable[name];
  return [...new Set([fold(name), ...phrases, ...members.flatMap((code) => spellings().byCode.get(code) ?? [])])];
}
