import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Server = "up" | "down";

let server: Server = "up";
/** A fresh page: the module holds the state of one page. */
let page: typeof import("./connection.ts");

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  page = await import("./connection.ts");
  server = "up";
  vi.stubGlobal("fetch", async () => {
    if (server === "down") throw new TypeError("fetch failed");
    return new Response("{}");
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const chunkError = () => Object.assign(new Error("Failed to load chunk 1"), { name: "ChunkLoadError" });

test("a part that could not be fetched is loaded when the connection is back", async () => {
  server = "down";
  const load = vi.fn(async () => {
    if (server === "down") throw chunkError();
    return "palette";
  });
  const part = page.untilLoaded("Search", load);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.isLost()).toBe(true);
  expect(page.connection()).toMatchObject({ outdated: false, missing: ["Search"] });
  expect(load).toHaveBeenCalledTimes(1);
  server = "up";
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(part).resolves.toBe("palette");
  expect(page.connection()).toEqual({ lostAt: null, outdated: false, missing: [] });
});

test("the reader can ask at once", async () => {
  server = "down";
  await page.suspectLoss();
  await vi.advanceTimersByTimeAsync(8_000);
  server = "up";
  page.tryAgain();
  await vi.advanceTimersByTimeAsync(0);
  expect(page.isLost()).toBe(false);
});

test("an answer from before the browser went offline does not count", async () => {
  const network = new EventTarget();
  vi.stubGlobal("window", network);
  vi.stubGlobal("navigator", { onLine: true });
  const stop = page.watchNetwork();
  let answer = (_: Response) => {};
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const asked = page.suspectLoss();
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("fetch failed");
  });
  network.dispatchEvent(new Event("offline"));
  answer(new Response("{}"));
  await expect(asked).resolves.toBe(false);
  expect(page.isLost()).toBe(true);
  stop();
});

test("a moment without a connection is not reported", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(chunkError()).mockResolvedValue("palette");
  await expect(page.untilLoaded("Search", load)).resolves.toBe("palette");
  expect(page.connection()).toEqual({ lostAt: null, outdated: false, missing: [] });
});

test("a part that the running server does not have waits for a reload, or for another try", async () => {
  let isThere = false;
  const part = page.untilLoaded("Search", async () => {
    if (!isThere) throw chunkError();
    return "palette";
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.connection()).toEqual({ lostAt: null, outdated: true, missing: ["Search"] });
  isThere = true;
  page.tryAgain();
  await expect(part).resolves.toBe("palette");
  expect(page.connection()).toEqual({ lostAt: null, outdated: false, missing: [] });
});

test("an error inside a part is thrown as it is", async () => {
  await expect(
    page.untilLoaded("Search", async () => {
      throw new TypeError("x is not a function");
    }),
  ).rejects.toThrow("x is not a function");
  expect(page.connection().missing).toEqual([]);
});

test("the loss counts from the first failed request", async () => {
  server = "down";
  const since = Date.now();
  await page.suspectLoss();
  await vi.advanceTimersByTimeAsync(30_000);
  await page.suspectLoss();
  expect(page.connection().lostAt).toBe(since);
});

test("an answer of the server ends the loss", async () => {
  server = "down";
  await page.suspectLoss();
  page.miss("Companies");
  page.connectionHolds();
  expect(page.connection()).toEqual({ lostAt: null, outdated: false, missing: [] });
});
