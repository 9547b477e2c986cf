import { QueryClient, QueryObserver } from "@tanstack/react-query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { attempt, type Pending, type Scope, type Show, shownAs, underWayKey } from "./optimistic.ts";

type Rows = Record<string, number>;

const scope: Scope = { queryKey: ["rows", "w1"], exact: true };

function page(client: QueryClient) {
  return () =>
    shownAs(
      client.getQueryData<Rows>(scope.queryKey) ?? {},
      client.getQueryData<readonly Pending<Rows>[]>(underWayKey(scope)) ?? [],
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

test("changes are sent in their order, and the page ends with the latest accepted one", async () => {
  const change = fc.record({ row: fc.constantFrom("a", "b"), isAllowed: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.scheduler(), async (changes, scheduler) => {
      const client = new QueryClient();
      const server: Rows = { a: 0, b: 0 };
      client.setQueryData(scope.queryKey, { ...server });
      const shown = page(client);
      const values = changes.map(({ row, isAllowed }, index) => ({ row, isAllowed, value: index + 1 }));
      const done = values.map(({ row, isAllowed, value }) =>
        attempt(client, scope, {
          show: put(row, value),
          async call() {
            await scheduler.schedule(Promise.resolve(), `change ${value}`);
            if (!isAllowed) throw new Error("refused");
            server[row] = value;
          },
        }).catch(() => undefined),
      );
      const latest = (rows: typeof values) => Object.fromEntries(rows.map(({ row, value }) => [row, value]));
      expect(shown()).toEqual({ a: 0, b: 0, ...latest(values) });
      await scheduler.waitFor(Promise.all(done));
      expect(shown()).toEqual({ a: 0, b: 0, ...latest(values.filter(({ isAllowed }) => isAllowed)) });
      expect(shown()).toEqual(server);
    }),
  );
});

test("a change waits for the one before it in its scope only, and goes on when that is refused", async () => {
  const client = new QueryClient();
  client.setQueryData(scope.queryKey, { a: 1 });
  const first = asked();
  const sent: string[] = [];
  const refused = attempt(client, scope, { show: put("a", 2), call: first.call }).catch(() => undefined);
  const next = attempt(client, scope, { show: put("a", 3), call: async () => sent.push("next") });
  await attempt(
    client,
    { queryKey: ["rows", "w2"], exact: true },
    { show: put("a", 2), call: async () => sent.push("elsewhere") },
  );
  expect(sent).toEqual(["elsewhere"]);
  expect(page(client)()).toEqual({ a: 3 });
  first.refuse();
  await Promise.all([refused, next]);
  expect(sent).toEqual(["elsewhere", "next"]);
  expect(page(client)()).toEqual({ a: 3 });
});
