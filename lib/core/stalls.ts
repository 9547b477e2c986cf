import { singleton } from "./singleton.ts";

/** A request or a job, as named in the log. */
export type Piece = Readonly<Record<string, unknown>>;

type UnderWay = { now: Set<Piece>; ended: Piece[] };
const underWay = singleton<UnderWay>("under-way", () => ({ now: new Set(), ended: [] }));

/** The event loop is checked this often. */
const LOOK_MS = 50;
/** A longer turn of the event loop is reported. */
export const STALL_MS = 200;
/** At most one stall is reported in this time; others are counted. */
const TELL_MS = 1_000;

/** The most pieces named in one line. */
const MOST_NAMED = 5;

/** `piece` begins. It must be ended by `endPiece`. */
export const beginPiece = (piece: Piece): void => void underWay.now.add(piece);

/** `piece` ended after `ms`: a long one may be why the event loop stalled, so it is remembered until the next check. */
export function endPiece(piece: Piece, ms: number): void {
  underWay.now.delete(piece);
  if (ms > STALL_MS) underWay.ended.push(piece);
}

/** The pieces that have begun and not ended. */
export const piecesUnderWay = (): Piece[] => [...underWay.now];

/**
 * How long the event loop was blocked, and this thread's CPU time in that: when it is far less, the machine had no time
 * for the process. `pieces`: how many requests and jobs of each name were under way, and `named` some of them.
 * `untold`: further stalls since the last report.
 */
export type Stall = { ms: number; cpu_ms: number; pieces: Record<string, number>; named: Piece[]; untold: number };

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
};

/**
 * Checks the event loop until the returned function is called. It costs a few microseconds 20 times a second, and
 * nothing per request.
 */
export function watchStalls(tell: (stall: Stall) => void): () => void {
  let last = performance.now();
  let cpu = cpuMs();
  let lastReport = Number.NEGATIVE_INFINITY;
  let untold = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const used = cpuMs();
    const ms = now - last - LOOK_MS;
    if (ms > STALL_MS) {
      if (now - lastReport < TELL_MS) untold++;
      else {
        tell({ ms: Math.round(ms), cpu_ms: Math.round(used - cpu), ...whatRuns(), untold });
        lastReport = now;
        untold = 0;
      }
    }
    underWay.ended.length = 0;
    last = now;
    cpu = used;
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function whatRuns(): Pick<Stall, "pieces" | "named"> {
  const all = [...underWay.ended, ...piecesUnderWay()];
  const pieces: Record<string, number> = Object.create(null);
  for (const { operation, job } of all) {
    const name = String(operation ?? job ?? "unnamed");
    pieces[name] = (pieces[name] ?? 0) + 1;
  }
  return { pieces, named: all.slice(0, MOST_NAMED) };
}
