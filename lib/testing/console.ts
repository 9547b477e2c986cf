/**
 * A setup file of every test: a call of `console.error` fails the test that is running. A test that expects the call
 * checks it and then forgets it with `vi.mocked(console.error).mockClear()`.
 */
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  const spy: unknown = console.error;
  expect(vi.isMockFunction(spy) ? spy.mock.calls : [], "console.error was called").toEqual([]);
});
