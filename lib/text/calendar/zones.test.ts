import { expect, test } from "vitest";
import { withKnownZones } from "./zones.ts";

const rule = (kind: string, to: string, recurs: string, start = "19700101T020000") => [
  `BEGIN:${kind}`,
  `DTSTART:${start}`,
  "TZOFFSETFROM:+0000",
  `TZOFFSETTO:${to}`,
  ...(recurs ? [`RRULE:FREQ=YEARLY;${recurs}`] : []),
  `END:${kind}`,
];
const zoneOf = (name: string, ...definition: string[]): string | undefined =>
  /^DTSTART;TZID=(.*):2026/m.exec(
    withKnownZones(
      [
        "BEGIN:VTIMEZONE",
        `TZID:${name}`,
        ...definition,
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        `DTSTART;TZID="${name}":20260601T100000`,
        "",
      ].join("\r\n"),
    ),
  )?.[1];

test.each([
  [
    "Mine",
    [...rule("STANDARD", "+0100", "BYMONTH=10;BYDAY=-1SU"), ...rule("DAYLIGHT", "+0200", "BYMONTH=3;BYDAY=-1SU")],
    "Europe/Berlin",
  ],
  [
    "Mine",
    [...rule("STANDARD", "-0500", "BYMONTH=11;BYDAY=1SU"), ...rule("DAYLIGHT", "-0400", "BYMONTH=3;BYDAY=2SU")],
    "America/New_York",
  ],
  [
    "Mine",
    [...rule("STANDARD", "+1000", "BYMONTH=4;BYDAY=1SU"), ...rule("DAYLIGHT", "+1100", "BYMONTH=10;BYDAY=1SU")],
    "Australia/Sydney",
  ],
  ["Mine", rule("STANDARD", "+0530", ""), "Asia/Kolkata"],
  [
    "Mine",
    [
      ...rule("DAYLIGHT", "+0400", "BYMONTH=3;BYDAY=-1SU;UNTIL=20100328T000000Z"),
      ...rule("STANDARD", "+0400", "", "20110327T020000"),
      ...rule("STANDARD", "+0300", "", "20141026T020000"),
    ],
    "Europe/Moscow",
  ],
  ["Mine", ["X-LIC-LOCATION:America/Toronto", ...rule("STANDARD", "-0500", "")], "America/Toronto"],
  ["/freeassociation.sourceforge.net/Europe/Vienna", rule("STANDARD", "+0100", ""), "Europe/Vienna"],
])("a zone that is called %s and goes like %#: %s", (name, definition, zone) => {
  expect(zoneOf(name, ...definition)).toBe(zone);
});

test("a zone that the world knows, and one of which nothing can be told, stay as they are", () => {
  expect(zoneOf("Europe/Paris", ...rule("STANDARD", "+0900", ""))).toBe('"Europe/Paris"');
  expect(zoneOf("Moon", ...rule("STANDARD", "+0007", ""))).toBe('"Moon"');
  expect(zoneOf("Nothing")).toBe('"Nothing"');
});
