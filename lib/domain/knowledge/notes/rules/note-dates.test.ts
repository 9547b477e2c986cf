import { describe, expect, test } from "vitest";
import { formatNoteDate } from "../serialize.ts";
import { parseNoteDate } from "./note-dates.ts";
import { datingWords, fitOf, readSpans } from "./question-dates.ts";

describe("the date of a note", () => {
  test.each([
    ["2026-06-03", "2026-06-03"],
    [" 2026-06-03 ", "2026-06-03"],
    ["3 June 2026", "2026-06-03"],
    ["3rd of June 2026", "2026-06-03"],
    ["03 jun 2026", "2026-06-03"],
    ["June 3, 2026", "2026-06-03"],
    ["Sept 1 2026", "2026-09-01"],
    ["June 3, 2026 14:00", "2026-06-03T14:00:00.000Z"],
    ["June 3rd, 2026 at 2:30 pm", "2026-06-03T14:30:00.000Z"],
    ["3 June 2026 12 am", "2026-06-03T00:00:00.000Z"],
    ["2026-06-03 14:00", "2026-06-03T14:00:00.000Z"],
    ["2026-06-03T14:00", "2026-06-03T14:00:00.000Z"],
    ["2026-06-03T14:00:30Z", "2026-06-03T14:00:30.000Z"],
    ["2026-06-03T14:00:00+02:00", "2026-06-03T12:00:00.000Z"],
    ["2028-02-29", "2028-02-29"],
  ])("%s is %s", (text, expected) => {
    const date = parseNoteDate(text);
    expect(date && formatNoteDate(date)).toBe(expected);
  });

  test.each([
    "",
    "soon",
    "03/06/2026",
    "2026-02-30",
    "30 February 2026",
    "2026-13-01",
    "June 2026",
    "3 Jumble 2026",
    "June 3, 2026 25:00",
    "June 3, 2026 14",
    "June 3, 2026 13 pm",
    "2026-06-03T14:00:00+99:00",
    "0000-01-01 extra",
    "tomorrow",
    "June 3",
    "3 June 26",
    "2026/06/03",
    "3 June 2026 BC",
    "June 3 - June 5, 2026",
    "June 3, 2026 14:00 IST",
  ])("%j is none", (text) => {
    expect(parseNoteDate(text)).toBeNull();
  });
});

describe("the days a question names", () => {
  const now = new Date("2026-11-18T10:00:00Z"); // a Wednesday
  const read = (question: string) =>
    readSpans(question, now).map(
      ({ from, to }) => `${from.toISOString().slice(0, 10)}/${to.toISOString().slice(0, 10)}`,
    );

  test.each([
    ["what happened on 2026-06-03", "2026-06-03/2026-06-04"],
    ["the call of 3 June 2026", "2026-06-03/2026-06-04"],
    ["June 3rd", "2026-06-03/2026-06-04"],
    ["December 24", "2025-12-24/2025-12-25"],
    ["pricing in March", "2026-03-01/2026-04-01"],
    ["pricing in December", "2025-12-01/2026-01-01"],
    ["pricing in March 2025", "2025-03-01/2025-04-01"],
    ["2026-03", "2026-03-01/2026-04-01"],
    ["in May", "2026-05-01/2026-06-01"],
    ["Q2 results", "2026-04-01/2026-07-01"],
    ["in Q4 2025", "2025-10-01/2026-01-01"],
    ["during 2025", "2025-01-01/2026-01-01"],
    ["yesterday", "2026-11-17/2026-11-18"],
    ["today", "2026-11-18/2026-11-19"],
    ["this week", "2026-11-16/2026-11-23"],
    ["last week", "2026-11-09/2026-11-16"],
    ["last month", "2026-10-01/2026-11-01"],
    ["last quarter", "2026-07-01/2026-10-01"],
    ["last year", "2025-01-01/2026-01-01"],
    ["last 7 days", "2026-11-11/2026-11-19"],
    ["two weeks ago", "2026-11-01/2026-11-08"],
    ["on Tuesday", "2026-11-17/2026-11-18"],
    ["31 February 2026", "2026-02-01/2026-03-01"],
    ["last Wednesday", "2026-11-11/2026-11-12"],
    ["last March", "2026-03-01/2026-04-01"],
    ["last November", "2025-11-01/2025-12-01"],
    ["last December", "2025-12-01/2026-01-01"],
    ["March last year", "2025-03-01/2025-04-01"],
    ["in March of this year", "2026-03-01/2026-04-01"],
    ["between March and May", "2026-03-01/2026-06-01"],
    ["from November to January 2025", "2024-11-01/2025-02-01"],
    ["between October and December", "2025-10-01/2026-01-01"],
    ["since March", "2026-03-01/2026-11-19"],
    ["since last week", "2026-11-09/2026-11-19"],
    ["since 3 June 2026", "2026-06-03/2026-11-19"],
    ["in the second quarter of 2025", "2025-04-01/2025-07-01"],
    ["in the first quarter of the year", "2026-01-01/2026-04-01"],
    ["first half of 2025", "2025-01-01/2025-07-01"],
    ["H1 numbers", "2026-01-01/2026-07-01"],
    ["over the summer", "2026-06-01/2026-09-01"],
    ["this autumn", "2026-09-01/2026-12-01"],
    ["last autumn", "2025-09-01/2025-12-01"],
    ["last winter", "2025-12-01/2026-03-01"],
    ["in the spring of 2025", "2025-03-01/2025-06-01"],
  ])("%s", (question, expected) => {
    expect(read(question)).toEqual([expected]);
  });

  test.each([
    "may we show the logo",
    "seats for 2500 people",
    "who is Mark",
    "the second week",
    "a fall in usage",
    "first half of the call",
    "spring cleaning",
    "call me back",
  ])("%s names none", (question) => {
    expect(read(question)).toEqual([]);
  });

  test("two dates are two spans", () => {
    expect(read("between March 2026 and 2026-06-03")).toEqual(["2026-06-03/2026-06-04", "2026-03-01/2026-04-01"]);
  });
});

describe("a part of a month", () => {
  const now = new Date("2026-11-18T12:00:00Z");
  const fitting = (question: string, date: string) => fitOf(new Date(date), readSpans(question, now));

  test.each([
    ["early March", "2026-03-05", "2026-03-25"],
    ["the beginning of May 2025", "2025-05-10", "2025-05-11"],
    ["mid-June", "2026-06-15", "2026-06-28"],
    ["in the middle of June", "2026-06-15", "2026-06-01"],
    ["at the end of March", "2026-04-02", "2026-03-10"],
    ["late December", "2026-01-01", "2025-12-01"],
    ["in the last week of August", "2026-08-31", "2026-08-10"],
    ["first week of July", "2026-07-02", "2026-07-20"],
    ["second half of May", "2026-05-31", "2026-05-02"],
  ])("%s is %s rather than %s", (question, inside, rest) => {
    expect([fitting(question, inside), fitting(question, rest)]).toEqual([1, 0.5]);
  });

  test("another month does not fit, and a whole month fits on all its days", () => {
    expect([
      fitting("early March", "2026-05-05"),
      fitting("in March", "2026-03-31"),
      fitting("no date", "2026-03-31"),
    ]).toEqual([0, 1, 0]);
  });

  test("since its beginning reaches until today", () => {
    expect([fitting("since late March", "2026-03-25"), fitting("since late March", "2026-03-02")]).toEqual([1, 0]);
    expect(fitting("since late March", "2026-10-01")).toBe(1);
  });

  test("its words say when, those of other phrases do not", () => {
    expect([...datingWords("the last week of August")].sort()).toEqual(["last", "the", "week"]);
    expect([...datingWords("how many users at the end of the trial in March")]).toEqual([]);
  });
});
