import { QueryClient, QueryObserver } from "@tanstack/react-query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { attempt, type Scope, type Show, shownAs, underWayKey } from "./optimistic.ts";

type Rows = Record<string, number>;

const scope: Scope = { queryKey: ["rows", "w1"], exact: true };

function page(client: QueryClient) {
  return () =>
    shownAs(
      client.getQueryData<Rows>(scope.queryKey) ?? {},
      client.getQueryData<readonly Show<Rows>[]>(underWayKey(scope)) ?? [],
    );
}

const put =
  (row: string, value: number): Show<Rows> =>
  (rows) => ({ ...rows, [row]: value });

const asked = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { call: () => promise, allow: () => resolve(), refuse: () => reject(new Error("refused")) };
};

test("a change shows at once, and the cache has it when it is done", async () => {
  const client = new QueryClient();
  client.setQueryData(scope.queryKey, { a: 1 });
  const shown = page(client);
  const question = asked();
  const done = attempt(client, scope, { show: put("a", 2), call: question.call });
  expect(shown()).toEqual({ a: 2 });
  expect(client.getQueryData(scope.queryKey)).toEqual({ a: 1 });
  question.allow();
  await done;
  expect(shown()).toEqual({ a: 2 });
  expect(client.getQueryData(scope.queryKey)).toEqual({ a: 2 });
});

test("the server's answer replaces what was shown", async () => {
  const client = new QueryClient();
  client.setQueryData(scope.queryKey, { a: 1 });
  await attempt<Rows, number>(client, scope, {
    show: put("a", 2),
    call: async () => 3,
    settle: (rows, a) => ({ ...rows, a }),
  });
  expect(page(client)()).toEqual({ a: 3 });
});

test("a refused change leaves data that was read meanwhile as it is", async () => {
  const client = new QueryClient();
  client.setQueryData(scope.queryKey, { a: 1, b: 1 });
  const shown = page(client);
  const question = asked();
  const done = attempt(client, scope, { show: put("a", 2), call: question.call });
  client.setQueryData(scope.queryKey, { a: 1, b: 7 });
  expect(shown()).toEqual({ a: 2, b: 7 });
  question.refuse();
  await expect(done).rejects.toThrow("refused");
  expect(shown()).toEqual({ a: 1, b: 7 });
});

test("a read that began before the change was written does not bring back the old value", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(scope.queryKey, { a: 1 });
  const late = Promise.withResolvers<Rows>();
  const read = client.fetchQuery({ queryKey: scope.queryKey, queryFn: () => late.promise }).catch(() => undefined);
  await attempt(client, scope, { show: put("a", 2), call: async () => undefined });
  late.resolve({ a: 1 });
  await read;
  expect(page(client)()).toEqual({ a: 2 });
});

test("a list whose first read a change cuts short is read again", async () => {
  const client = new QueryClient();
  const reads = [Promise.withResolvers<Rows>(), Promise.withResolvers<Rows>()];
  let read = 0;
  const list = new QueryObserver(client, {
    queryKey: scope.queryKey,
    queryFn: () => reads[read++]?.promise ?? Promise.reject(new Error("read too often")),
  });
  const leave = list.subscribe(() => undefined);
  await attempt(client, scope, { show: put("a", 2), call: async () => undefined });
  expect(read).toBe(2);
  reads[0]?.resolve({ a: 1 });
  reads[1]?.resolve({ a: 2, b: 3 });
  await expect.poll(() => list.getCurrentResult().data).toEqual({ a: 2, b: 3 });
  leave();
});

test("in any order of answers, the page ends with the accepted changes", async () => {
  const change = fc.record({
    row: fc.constantFrom("a", "b", "c", "d"),
    allowed: fc.boolean(),
    order: fc.integer({ min: 0, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(change, { selector: ({ row }) => row }), async (changes) => {
      const client = new QueryClient();
      const before = { a: 0, b: 0, c: 0, d: 0 };
      client.setQueryData(scope.queryKey, before);
      const shown = page(client);
      const questions = changes.map(({ row, ...rest }, index) => {
        const question = asked();
        const done = attempt(client, scope, { show: put(row, index + 1), call: question.call }).catch(() => undefined);
        return { row, value: index + 1, ...rest, question, done };
      });
      expect(shown()).toEqual({ ...before, ...Object.fromEntries(questions.map(({ row, value }) => [row, value])) });
      for (const { allowed, question, done } of questions.toSorted((one, other) => one.order - other.order)) {
        if (allowed) question.allow();
        else question.refuse();
        await done;
      }
      const allowed = questions.filter((each) => each.allowed).map(({ row, value }) => [row, value]);
      expect(shown()).toEqual({ ...before, ...Object.fromEntries(allowed) });
    }),
  );
});
