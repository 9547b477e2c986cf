import { expect, test } from "vitest";
import { isUuid } from "#lib/core/ids.ts";
import { namesOfThread, threadsOf } from "./threads.ts";

const mail = (key: string, references: string[] = [], inReplyTo: string | null = references.at(-1) ?? null) => ({
  ...{ key, references, inReplyTo },
});
const none = new Map<string, string>();

test("a message names what it answers, the nearest first", () => {
  expect(namesOfThread(mail("c", ["a", "b"]))).toEqual(["b", "a", "c"]);
  expect(namesOfThread(mail("c", [], "b"))).toEqual(["b", "c"]);
});

test("a message and its answers are one thread, in any order", () => {
  for (const order of [
    ["a", "b", "c"],
    ["c", "b", "a"],
    ["b", "c", "a"],
  ]) {
    const mails = { a: mail("a"), b: mail("b", ["a"]), c: mail("c", ["a", "b"]) };
    const threads = threadsOf(
      order.map((key) => mails[key as "a"]),
      none,
    );
    expect(new Set(threads.values()).size, order.join()).toBe(1);
    expect(isUuid([...threads.values()][0] as string)).toBe(true);
  }
});

test("one message at a time gives the same thread as all at once", () => {
  const mails = [mail("a"), mail("b", ["a"]), mail("c", ["a", "b"])];
  const known = new Map<string, string>();
  for (const one of mails) for (const [key, thread] of threadsOf([one], known)) known.set(key, thread);
  expect(known).toEqual(threadsOf(mails, none));
});

test("an answer to a stored message joins its thread, whatever else it names", () => {
  const stored = new Map([["b", "5a2b1c3d-0000-8000-8000-000000000003"]]);
  expect(threadsOf([mail("x", ["unknown", "b"])], stored).get("x")).toBe(stored.get("b"));
});

test("messages that name nothing of each other are threads of their own", () => {
  expect(new Set(threadsOf([mail("a"), mail("b")], none).values()).size).toBe(2);
});
