/** What a column of a CSV file of each kind can be, in the order in which they are offered: identifiers, then values. */
export const importFields = {
  people: [
    "email",
    "linkedin_url",
    "first_name",
    "last_name",
    "name",
    "job_title",
    "company",
    "company_domain",
    "company_linkedin_url",
    "industry",
    "employees",
    "company_country",
    "country",
    "phone",
    "stage",
    "owner",
    "observed_at",
  ],
  companies: [
    "company_domain",
    "company_linkedin_url",
    "company",
    "industry",
    "employees",
    "country",
    "owner",
    "observed_at",
  ],
  notes: ["email", "linkedin_url", "company_domain", "content", "title", "date", "type", "note_id"],
  activities: [
    "email",
    "linkedin_url",
    "company_domain",
    "name",
    "type",
    "date",
    "summary",
    "source",
    "external_id",
    "activity_id",
    "event",
    "value",
  ],
} as const;

export type ImportField = (typeof importFields)[keyof typeof importFields][number];

/** Fields of which one column is enough: a second one does not fill their gaps. */
export const singleFields: readonly string[] = [
  "stage",
  "content",
  "note_id",
  "observed_at",
  "external_id",
  "activity_id",
  "event",
  "value",
];

/** How the cells of a column are read; what does not fit stays text. */
export const readings = [
  "text",
  "number",
  "number_comma",
  "date",
  "date_day_first",
  "date_month_first",
  "date_serial",
  "boolean",
] as const;
export type Reading = (typeof readings)[number];

/** `Deal size (€)` as `deal_size`; null when nothing of it can be the name of a property. */
export function propertyName(text: string): string | null {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const name = plain
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 63)
    .replace(/_+$/, "");
  return name === "" ? null : name;
}

/** Countries whose telephone numbers are known. */
export const phoneCountries: readonly string[] = `
  AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG
  CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH
  GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
  KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
  NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN
  SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT
  ZA ZM ZW`
  .trim()
  .split(/\s+/);
