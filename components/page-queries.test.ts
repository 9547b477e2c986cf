import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { PageQueries } from "#components/page-queries.ts";

/** A page that shows what its reads answer, in the order in which they began; `answer` ends the next one. */
function shown(client: PageQueries) {
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  };
  const observer = new QueryObserver(client, { queryKey: ["evidence"], queryFn, staleTime: 30_000, retry: false });
  const leave = observer.subscribe(() => undefined);
  return { reads, data: () => observer.getCurrentResult().data, leave };
}

test("what is read for the first time while something changes is read again after it, once", async () => {
  const client = new PageQueries();
  const page = shown(client);
  const changes = [1, 2].map(() => client.invalidateQueries({ queryKey: ["evidence"] }));
  expect(page.reads).toHaveLength(1);
  page.reads[0]?.resolve("as it was");
  await expect.poll(() => page.reads.length).toBe(2);
  expect(page.data()).toBe("as it was");
  page.reads[1]?.resolve("as it is");
  await Promise.all(changes);
  expect(page.data()).toBe("as it is");
  expect(page.reads).toHaveLength(2);
  page.leave();
});

test("a first read that failed, or that nothing changed meanwhile, is not read again", async () => {
  const client = new PageQueries();
  const page = shown(client);
  const other = client.invalidateQueries({ queryKey: ["notes"] });
  const change = client.invalidateQueries({ queryKey: ["evidence"] });
  page.reads[0]?.reject(new Error("away"));
  await Promise.all([other, change]);
  expect(page.reads).toHaveLength(1);
  page.leave();

  const later = shown(client);
  void client.invalidateQueries({ queryKey: ["notes"] });
  later.reads[0]?.resolve("as it is");
  await expect.poll(later.data).toBe("as it is");
  expect(later.reads).toHaveLength(1);
  later.leave();
});
