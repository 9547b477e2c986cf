import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatTime, parseTime } from "./time.ts";

const parsed = (text: string): string | null => {
  const time = parseTime(text);
  return time && formatTime(time);
};

describe("parseTime", () => {
  test.each([
    ["2026-06-03", "2026-06-03T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2026-06-03T10:30Z", "2026-06-03T10:30:00.000Z"],
    ["2026-06-03T10:30:15Z", "2026-06-03T10:30:15.000Z"],
    ["2026-06-03T10:30:15.5Z", "2026-06-03T10:30:15.500Z"],
    ["2026-06-03T10:30:15.123456789Z", "2026-06-03T10:30:15.123Z"],
    ["2026-06-03t10:30:15z", "2026-06-03T10:30:15.000Z"],
    ["2026-06-03 10:30:15+02:00", "2026-06-03T08:30:15.000Z"],
    ["2026-06-03T10:30:15+0200", "2026-06-03T08:30:15.000Z"],
    ["2026-06-03T00:30:00-11:30", "2026-06-03T12:00:00.000Z"],
    ["2026-06-03T24:00:00Z", "2026-06-04T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["0004-02-29", "0004-02-29T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s", (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  test.each([
    "",
    "today",
    "2026",
    "2026-06",
    "2026-6-3",
    "03.06.2026",
    "2026-13-01",
    "2026-00-10",
    "2026-02-29",
    "2026-04-31",
    "2026-06-00",
    "2026-06-03T10:30",
    "2026-06-03T10:30:15",
    "2026-06-03T25:00:00Z",
    "2026-06-03T24:00:01Z",
    "2026-06-03T10:60:00Z",
    "2026-06-03T10:30:60Z",
    "2026-06-03T10:30:15+99:99",
    "2026-06-03T10:30:15+24:00",
    "2026-06-03T10:30:15+02",
    "2026-06-03T10:30:15.Z",
    "2026-06-03T10:30:15Z ",
    " 2026-06-03",
    "2026-06-03\n",
    "2026-06-03T10:30:15Z\n",
    "+002026-06-03",
    "0000-01-01",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "20260603T103015Z",
    "1780480800000",
    "２026-06-03",
  ])("refuses %j", (text) => {
    expect(parsed(text)).toBeNull();
  });

  test("reads back every time it formats", () => {
    const times = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(fc.property(times, (time) => parseTime(formatTime(time))?.getTime() === time.getTime()));
  });

  test("reads the same moment in any offset", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
        fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
        (time, minutes) => {
          const local = formatTime(new Date(time.getTime() + minutes * 60_000)).slice(0, -1);
          const sign = minutes < 0 ? "-" : "+";
          const two = (value: number) => String(value).padStart(2, "0");
          const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
          expect(parseTime(local + offset)?.getTime()).toBe(time.getTime());
        },
      ),
    );
  });

  test("never throws and never returns a time without a four-digit year", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?([+-]\d{2}:?\d{2}|Z))?$/)),
        (text) => {
          const time = parseTime(text);
          expect(time === null || /^\d{4}-/.test(formatTime(time))).toBe(true);
        },
      ),
    );
  });
});
