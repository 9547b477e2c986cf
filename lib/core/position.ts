import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "./singleton.ts";

/** A place in the database's log of changes, as Postgres writes it: two hexadecimal numbers, `16/B374D848`. */
const POSITION = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** The position as a number that grows; null for anything else. */
export function parsePosition(text: string | null | undefined): bigint | null {
  const [, high, low] = POSITION.exec(text ?? "") ?? [];
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export const formatPosition = (position: bigint): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();

type Request = {
  /** what the caller has seen: nothing older may be answered; null: it did not say */
  readonly seen: bigint | null;
  /** a replica answered, so that nothing newer than `seen` is known to have been read */
  byReplica: boolean;
};

const requests = singleton("position-requests", () => new AsyncLocalStorage<Request>());

/** The latest position that this process wrote or read at. */
const latest = singleton("position-latest", () => ({ position: 0n }));

/** Runs a request of somebody who has seen a position, and answers what they have seen after it; null while none is known. */
export async function atPosition<T>(
  seen: bigint | null,
  work: () => Promise<T>,
): Promise<{ result: T; seen: bigint | null }> {
  const request: Request = { seen, byReplica: false };
  const result = await requests.run(request, work);
  if (request.byReplica) return { result, seen };
  // What others of this process wrote meanwhile is included: a group of callers commits together.
  return { result, seen: latest.position > (seen ?? 0n) ? latest.position : seen };
}

/** What the caller of the running request has seen; null outside of one, and when it did not say. */
export const seenByCaller = (): bigint | null => requests.getStore()?.seen ?? null;

/** Says that a replica answered the running request. */
export function answeredByReplica(): void {
  const request = requests.getStore();
  if (request) request.byReplica = true;
}

/** Says that this process wrote, or read on the primary, at a position. */
export function reached(position: bigint | null): void {
  if (position !== null && position > latest.position) latest.position = position;
}
