import { Fault, isFault } from "./errors.ts";

/** How long a caller is asked to wait before it repeats a request that failed because the database was away. */
export const RETRY_AFTER_SECONDS = 2;

/** The system's words for an address that cannot be reached or a connection that broke. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
]);

/**
 * SQLSTATEs of a server that stops, starts or has no connection left: class 08, 57P01 to 57P03 (shutdown, crash,
 * start), 57P05 (a session closed for idling), 53300. A protocol violation counts only as FATAL: a pooling proxy
 * reports a lost server that way; as ERROR one of our statements is wrong.
 */
const AWAY = /^(08(?!P01)...|57P0[1235]|53300)$/;

/** The driver's messages for a connection that could not be opened, that broke, or that our own stop has closed. */
const DRIVER_WORDS: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
  "Query read timeout",
]);

/** The same from Prisma: codes of its client, and kinds of its driver adapter. */
const PRISMA_CODES: ReadonlySet<string> = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2037"]);
const ADAPTER_KINDS: ReadonlySet<string> = new Set([
  ...["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"],
]);

type Shape = {
  name?: unknown;
  code?: unknown;
  errorCode?: unknown;
  severity?: unknown;
  message?: unknown;
  kind?: unknown;
  originalCode?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
};

/**
 * True when a failure means that the database is away: it cannot be reached, it starts or stops, or the connection
 * broke. It is then unknown whether the failed request wrote: the answer to a COMMIT may be lost after the commit.
 */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { name, code, errorCode, severity, message, kind, originalCode, cause, meta } = error as Shape;
  if (typeof code === "string") {
    if (SOCKET_CODES.has(code) || AWAY.test(code) || PRISMA_CODES.has(code)) return true;
    if (code === "08P01" && severity === "FATAL") return true;
  }
  if (typeof errorCode === "string" && PRISMA_CODES.has(errorCode)) return true;
  if (typeof message === "string" && DRIVER_WORDS.has(message)) return true;
  if (typeof kind === "string" && ADAPTER_KINDS.has(kind)) return true;
  if (typeof originalCode === "string" && AWAY.test(originalCode)) return true;
  if (name === "DriverAdapterError" && isUnavailable(cause)) return true;
  return meta?.driverAdapterError !== undefined && isUnavailable(meta.driverAdapterError);
}

/**
 * lock_not_available: a statement waited for others longer than `lock_timeout`. deadlock_detected and serialization_failure: the
 * database ended it in favour of others. foreign_key_violation: others removed what was written about, at every attempt.
 */
const LOST_TO_OTHERS: ReadonlySet<unknown> = new Set(["55P03", "40P01", "40001", "23503"]);

/** True for an error of the database, by the driver or Prisma, with one of these SQLSTATEs. */
function hasState(error: unknown, states: ReadonlySet<unknown>): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, originalCode, cause, meta } = error as Shape;
  if (states.has(code) || states.has(originalCode)) return true;
  return hasState(cause, states) || hasState(meta?.driverAdapterError, states);
}

/** query_canceled */
const CANCELLED: ReadonlySet<unknown> = new Set(["57014"]);

/** True for a statement that ran longer than `statement_timeout`, or that the operator ended. */
export const wasCancelled = (error: unknown): boolean => hasState(error, CANCELLED);

/** disk_full */
const DISK_FULL: ReadonlySet<unknown> = new Set(["53100"]);

/**
 * The fault that a caller gets for a thrown error: a fault as it is, 503 `not_ready` while the database is away, its disk is full, or
 * others hold, or remove again and again, what the work needs, else 500 `internal_error`.
 */
export function asFault(error: unknown): Fault {
  if (isFault(error)) return error;
  if (hasState(error, LOST_TO_OTHERS)) return contended();
  if (hasState(error, DISK_FULL)) return diskFull();
  return isUnavailable(error) ? notReady() : new Fault("internal_error");
}

/** 503 `not_ready`, with the time to wait. */
export const notReady = (): Fault => new Fault("not_ready", { retry_after: RETRY_AFTER_SECONDS });

/** 503 `not_ready` for work that waited too long for others, or lost to them again and again. Nothing of it was written. */
export const contended = (): Fault =>
  new Fault(
    "not_ready",
    { retry_after: RETRY_AFTER_SECONDS },
    "Too many requests change the same records; nothing was changed. Send the request again after the time in Retry-After.",
  );

/** How long a caller is asked to wait while the disk is full: someone has to make room. */
const ROOM_AFTER_SECONDS = 30;

/** 503 `not_ready` for a write while the disk of the database is full. */
export const diskFull = (): Fault =>
  new Fault(
    "not_ready",
    { retry_after: ROOM_AFTER_SECONDS },
    "The disk of the server is full, so nothing was written; what is stored can still be read. Ask the administrator of the server to make room, then send the request again.",
  );
