import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { listed, numberAs, numeral, propertyNumber } from "./numbers.ts";
import { calendarOf, dayAs, isTime, timeAs } from "./times.ts";

const root = path.resolve(import.meta.dirname, "../..");
const home = ["components/ui/times.ts", "components/ui/numbers.ts"];
const own = /\.toLocale(?:Date|Time)?String\(|Intl\.(?:DateTime|Number|RelativeTime|List)Format|from "date-fns/g;

test("dates and numbers are written in one place", () => {
  const files = globSync("{app,components}/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !home.includes(file) && !file.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(400);
  const others = files.flatMap((file) => {
    const found = readFileSync(path.join(root, file), "utf8").match(own) ?? [];
    return found.map((text) => `${file}: ${text}`);
  });
  expect(others).toEqual([]);
  expect(home.flatMap((file) => readFileSync(path.join(root, file), "utf8").match(own) ?? [])).not.toEqual([]);
});

/** As on the server, which knows the reader of the page. */
const server = globalThis as unknown as Record<symbol, { locale: () => string } | undefined>;
const key = Symbol.for("rapport.page-reader");
afterEach(() => {
  server[key] = undefined;
});

test.each([
  ["en", "1,234,567", "1.2M", "0.123457", "November 22, 2026", "Nov 22"],
  ["de", "1.234.567", "1,2 Mio.", "0,123457", "22. November 2026", "22. Nov."],
  ["fr", "1 234 567", "1,2 M", "0,123457", "22 novembre 2026", "22 nov."],
])("as a reader of %s writes them", (locale, whole, short, exact, long, day) => {
  server[key] = { locale: () => locale };
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  expect(plain(numeral(1_234_567))).toBe(whole);
  expect(plain(numberAs("short", 1_234_567))).toBe(short);
  expect(numberAs("exact", 0.12345678)).toBe(exact);
  expect(dayAs("long", "2026-11-22")).toBe(long);
  expect(dayAs("short", "2026-11-22")).toBe(day);
});

test("a day has no zone, a time has the reader's", () => {
  expect(dayAs("day", "2026-11-22")).toBe("Nov 22, 2026");
  expect(dayAs("day", "no day")).toBe("no day");
  const time = new Date("2026-11-22T23:30:00Z");
  expect(timeAs("day", time, "UTC")).toBe("Nov 22, 2026");
  expect(timeAs("day", time, "Europe/Berlin")).toBe("Nov 23, 2026");
  expect([calendarOf("UTC")(time), calendarOf("Asia/Tokyo")(time)]).toEqual(["2026-11-22", "2026-11-23"]);
});

test.each([
  ["en", "2:05 AM", "Nov 22, 2026, 2:05 AM"],
  ["en-GB", "02:05", "22 Nov 2026, 02:05"],
  ["de", "02:05", "22. Nov. 2026, 02:05"],
])("the clock of a reader of %s", (locale, clock, minute) => {
  server[key] = { locale: () => locale };
  const time = new Date("2026-11-22T02:05:00Z");
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  expect([timeAs("clock", time, "UTC"), timeAs("minute", time, "UTC")].map(plain)).toEqual([clock, minute]);
});

test("words are listed as a sentence has them", () => {
  expect(listed(["one"])).toBe("one");
  expect(listed(["one", "two", "three"])).toBe("one, two, and three");
});

test.each([
  ["founded", 2019, "2019"],
  ["founded_year", 1000, "1000"],
  ["year", 2999, "2999"],
  ["Fiscal Year", 2026, "2026"],
  ["year", 999, "999"],
  ["year", 3000, "3,000"],
  ["year", 2019.5, "2,019.5"],
  ["employees", 2019, "2,019"],
  ["yearly_revenue", 2019, "2,019"],
  ["years_in_role", 2019, "2,019"],
  ["co_founders", 2019, "2,019"],
])("%s with %d reads %s", (property, value, text) => {
  expect(propertyNumber(property, value)).toBe(text);
});

test.each([
  ["2026-11-22T14:05:00Z", true],
  ["2026-11-22T14:05:00.000Z", true],
  ["2026-11-22T14:05+01:00", true],
  ["2026-11-22", false],
  ["2026-13-22T14:05:00Z", false],
  ["2026-11-22T14:05:00Z, or so", false],
  ["14:05", false],
])("%s is a time: %s", (text, is) => {
  expect(isTime(text)).toBe(is);
});
