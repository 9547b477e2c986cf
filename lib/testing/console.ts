/**
 * A setup file of every test: whoever calls `console.error` fails the test that is running. A test that expects the
 * call checks it and then forgets it with `vi.mocked(console.error).mockClear()`.
 */
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = vi.isMockFunction(console.error) ? console.error.mock.calls : [];
  expect(calls, "console.error was called").toEqual([]);
});
