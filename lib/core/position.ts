import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "./singleton.ts";

/**
 * A position in the database's write-ahead log (LSN), as Postgres writes it: two hexadecimal numbers, `16/B374D848`.
 */
const POSITION = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** The position as a number that grows; null for anything else. */
export function parsePosition(text: string | null | undefined): bigint | null {
  const [, high, low] = POSITION.exec(text ?? "") ?? [];
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export const formatPosition = (position: bigint): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();

type Request = {
  /** the position the caller has seen: an answer may not be older; null: it sent none */
  readonly seen: bigint | null;
  /** a replica answered, so that nothing newer than `seen` is known to have been read */
  byReplica: boolean;
};

const requests = singleton("position-requests", () => new AsyncLocalStorage<Request>());

/** The latest position that this process wrote or read at. */
const latest = singleton("position-latest", () => ({ position: 0n }));

/**
 * Runs a request of a caller who has seen a position, and returns the position they have seen after it; null while none
 * is known.
 */
export async function atPosition<T>(
  seen: bigint | null,
  work: () => Promise<T>,
): Promise<{ result: T; seen: bigint | null }> {
  const request: Request = { seen, byReplica: false };
  const result = await requests.run(request, work);
  if (request.byReplica) return { result, seen };
  // Includes what other requests of this process wrote meanwhile: a group of callers commits together.
  return { result, seen: latest.position > (seen ?? 0n) ? latest.position : seen };
}

/** The position that the caller of the running request has seen; null outside of a request, and when it sent none. */
export const seenByCaller = (): bigint | null => requests.getStore()?.seen ?? null;

/** Notes that a replica answered the running request. */
export function answeredByReplica(): void {
  const request = requests.getStore();
  if (request) request.byReplica = true;
}

/** Notes that this process wrote, or read on the primary, at a position. */
export function reached(position: bigint | null): void {
  if (position !== null && position > latest.position) latest.position = position;
}
