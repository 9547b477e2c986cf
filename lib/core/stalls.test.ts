import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { beginPiece, endPiece, STALL_MS, type Stall, watchStalls } from "./stalls.ts";

const block = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

/** The stall reported while `work` runs; a busy machine may add others, which do not name the piece. */
async function stallsDuring(work: () => void): Promise<Stall[]> {
  const told: Stall[] = [];
  const stop = watchStalls((stall) => void told.push(stall));
  await sleep(120);
  work();
  await sleep(120);
  stop();
  return told;
}

test("a blocked turn is reported with the pieces that were running, their ids, and those that ended in it", async () => {
  const [waiting, blocking, quick] = [
    { operation: "listPeople", request_id: "waits" },
    { operation: "capture", request_id: "blocks" },
    { operation: "ping", request_id: "quick" },
  ];
  const told = await stallsDuring(() => {
    beginPiece(waiting);
    beginPiece(quick);
    endPiece(quick, 1);
    beginPiece(blocking);
    block(STALL_MS * 2);
    endPiece(blocking, STALL_MS * 2);
  });
  endPiece(waiting, 1);
  const stall = told.find(({ pieces }) => "capture" in pieces);
  expect(stall).toMatchObject({ pieces: { capture: 1, listPeople: 1 }, named: [blocking, waiting] });
  expect(stall?.ms).toBeGreaterThan(STALL_MS);
  expect(stall?.cpu_ms).toBeGreaterThan(0);
});

test("pieces that ended before are not named, and nothing is reported after the watch has ended", async () => {
  const early = { operation: "early" };
  beginPiece(early);
  endPiece(early, STALL_MS * 5);
  const told = await stallsDuring(() => block(STALL_MS * 2));
  expect(told.every(({ pieces }) => !("early" in pieces))).toBe(true);
  const count = told.length;
  block(STALL_MS * 2);
  await sleep(100);
  expect(told).toHaveLength(count);
});
