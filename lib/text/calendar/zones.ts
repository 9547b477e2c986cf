/** Time zones that a calendar defines itself, by the names that the rest of the world has for them. */

/** Zones to compare with: one for each way that clocks go, in places where people meet. */
const COMMON = [
  ...[
    "Etc/UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Helsinki",
    "Europe/Moscow",
    "Europe/Istanbul",
    "Atlantic/Azores",
  ],
  ...["America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles"],
  ...["America/Anchorage", "Pacific/Honolulu", "America/Halifax", "America/St_Johns", "America/Sao_Paulo"],
  ...["America/Mexico_City", "America/Bogota", "America/Santiago", "America/Caracas", "Africa/Lagos", "Africa/Cairo"],
  ...["Africa/Johannesburg", "Africa/Casablanca", "Africa/Nairobi", "Asia/Jerusalem", "Asia/Dubai", "Asia/Tehran"],
  ...["Asia/Kabul", "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Yangon", "Asia/Bangkok"],
  ...["Asia/Shanghai", "Asia/Tokyo", "Australia/Adelaide", "Australia/Darwin", "Australia/Brisbane"],
  ...["Australia/Sydney", "Pacific/Auckland"],
];

/** Days between which clocks change somewhere: zones with the same offsets on all of them are the same. */
const YEAR = 2026;
const PROBES = ["01-15", "03-20", "04-10", "07-15", "09-28", "10-15", "10-28", "11-10"].map(
  (day) => new Date(`${YEAR}-${day}T12:00:00Z`),
);

/** A calendar in which events name a zone of the world where it defines one of its own, as far as that can be told. */
export function withKnownZones(ics: string): string {
  let text = ics.replaceAll(/\r?\n[ \t]/g, "");
  for (const [definition] of text.matchAll(/^BEGIN:VTIMEZONE\r?$[\s\S]*?^END:VTIMEZONE\r?$/gm)) {
    const own = /^TZID[^:\r\n]{0,200}:([^\r\n]{1,200})/m.exec(definition)?.[1]?.trim() ?? "";
    const known = own === "" || isKnown(own) ? null : knownZoneOf(own, definition);
    if (known === null) continue;
    for (const written of [`;TZID=${own}`, `;TZID="${own}"`]) text = text.replaceAll(written, `;TZID=${known}`);
  }
  return text;
}

function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

/** What it says of itself, how its name ends (`/vendor/Europe/Berlin`), else the one whose clocks go alike. */
function knownZoneOf(own: string, definition: string): string | null {
  const said = [
    /^X-LIC-LOCATION:([^\r\n]{1,60})/m.exec(definition)?.[1],
    /[A-Z][A-Za-z]+\/[A-Z][A-Za-z_/]+$/.exec(own)?.[0],
  ];
  const named = said.find((zone) => zone !== undefined && isKnown(zone.trim()));
  if (named !== undefined) return named.trim();
  const offsets = PROBES.map((date) => offsetBy(definition, date)).join();
  return COMMON.find((zone) => offsetsOf(zone) === offsets) ?? null;
}

const signatures = new Map<string, string>();

function offsetsOf(zone: string): string {
  const kept = signatures.get(zone);
  if (kept !== undefined) return kept;
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offsets = PROBES.map((date) => {
    const name = format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
    return minutesOf(name.replace("GMT", "").replace(":", "") || "+0000");
  }).join();
  signatures.set(zone, offsets);
  return offsets;
}

type Change = { at: number; offset: number };

/** Minutes east of UTC at a moment, by the rules of a definition. */
function offsetBy(definition: string, date: Date): number | null {
  const changes = [...definition.matchAll(/^BEGIN:(?:STANDARD|DAYLIGHT)\r?$([\s\S]*?)^END:(?:STANDARD|DAYLIGHT)\r?$/gm)]
    .flatMap(([, rule = ""]) => changeIn(rule) ?? [])
    .toSorted((one, other) => one.at - other.at);
  const latest = changes.filter(({ at }) => at <= date.getTime()).at(-1) ?? changes.at(-1);
  return latest?.offset ?? null;
}

/** When a rule takes effect in the year of the probes: on the nth weekday of a month, or once and for all. */
function changeIn(rule: string): Change | null {
  const offset = minutesOf(/^TZOFFSETTO:([+-]\d{4})/m.exec(rule)?.[1] ?? "");
  const start = /^DTSTART[^:\r\n]{0,60}:(\d{4})/m.exec(rule)?.[1];
  if (offset === null || start === undefined) return null;
  const recurs = /^RRULE:([^\r\n]{1,200})/m.exec(rule)?.[1];
  if (recurs === undefined) return { at: Date.UTC(Number(start), 0, 1), offset };
  const until = /UNTIL=(\d{4})/.exec(recurs)?.[1];
  if (until !== undefined && Number(until) < YEAR) return null;
  const month = Number(/BYMONTH=(\d{1,2})/.exec(recurs)?.[1] ?? 0) - 1;
  const [, nth, day] = /BYDAY=([+-]?\d)(SU|MO|TU|WE|TH|FR|SA)/.exec(recurs) ?? [];
  if (month < 0 || nth === undefined || day === undefined) return null;
  return { at: nthWeekday(month, Number(nth), ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].indexOf(day)), offset };
}

function nthWeekday(month: number, nth: number, weekday: number): number {
  const edge = new Date(Date.UTC(YEAR, nth > 0 ? month : month + 1, nth > 0 ? 1 : 0));
  const away = nth > 0 ? (weekday - edge.getUTCDay() + 7) % 7 : -((edge.getUTCDay() - weekday + 7) % 7);
  return edge.getTime() + (away + 7 * (nth > 0 ? nth - 1 : nth + 1)) * 86_400_000;
}

function minutesOf(offset: string): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})?$/.exec(offset) ?? [];
  return sign === undefined ? null : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}
