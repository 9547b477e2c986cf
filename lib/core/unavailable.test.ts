import { describe, expect, test } from "vitest";
import { Fault } from "./errors.ts";
import { asFault, isUnavailable } from "./unavailable.ts";

const sqlState = (code: string, severity = "ERROR") =>
  Object.assign(new Error("told by the server"), { code, severity });
const ofSystem = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code });
const ofAdapter = (cause: object) => Object.assign(new Error("adapter"), { name: "DriverAdapterError", cause });

describe("a database that is away", () => {
  test.each<[string, unknown]>([
    ...["08000", "08003", "08006", "08001", "08004", "57P01", "57P02", "57P03", "57P05", "53300"].map(
      (code): [string, unknown] => [code, sqlState(code, "FATAL")],
    ),
    ["a pooling proxy that lost the server", sqlState("08P01", "FATAL")],
    ["a refused port", ofSystem("ECONNREFUSED")],
    ["a reset connection", ofSystem("ECONNRESET")],
    ["a broken pipe", ofSystem("EPIPE")],
    ["a host without an address", ofSystem("ENOTFOUND")],
    ["every address refused", Object.assign(new AggregateError([ofSystem("ECONNREFUSED")]), { code: "ECONNREFUSED" })],
    ["a connection that ended", new Error("Connection terminated unexpectedly")],
    ["no connection in time", new Error("timeout exceeded when trying to connect")],
    ["a query on a broken connection", new Error("Client has encountered a connection error and is not queryable")],
    ["Prisma: a closed connection", Object.assign(new Error("Server has closed the connection."), { code: "P1017" })],
    ["Prisma: no connection at its start", Object.assign(new Error("…"), { errorCode: "P1001" })],
    ["Prisma's adapter: unreachable", ofAdapter({ kind: "DatabaseNotReachable", host: "127.0.0.1" })],
    ["Prisma's adapter: a shutdown", ofAdapter({ kind: "postgres", code: "57P01", originalCode: "57P01" })],
    [
      "Prisma's client around its adapter",
      Object.assign(new Error("Raw query failed"), {
        code: "P2010",
        meta: { driverAdapterError: ofAdapter({ kind: "ConnectionClosed" }) },
      }),
    ],
  ])("is told by %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(asFault(error)).toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
  });

  test.each<[string, unknown]>([
    ["a violated constraint", sqlState("23505")],
    ["a statement that ran too long", sqlState("57014")],
    ["a statement with too few values", sqlState("08P01")],
    ["an outside system that cannot be reached", new TypeError("fetch failed", { cause: ofSystem("ECONNREFUSED") })],
    ["a mistake of ours", new TypeError("undefined is not a function")],
    ["a text", "Connection terminated unexpectedly"],
    ["nothing", null],
  ])("is not told by %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(asFault(error)).toMatchObject({ code: "internal_error", status: 500 });
  });

  test.each<[string, unknown]>([
    ["the database", sqlState("55P03")],
    [
      "Prisma",
      Object.assign(new Error("Raw query failed"), {
        code: "P2010",
        meta: { driverAdapterError: ofAdapter({ kind: "postgres", code: "55P03", originalCode: "55P03" }) },
      }),
    ],
    ["the database, of a record that is gone", sqlState("23503")],
    ["the database, of a deadlock", sqlState("40P01")],
    ["the database, of a snapshot that others changed", sqlState("40001")],
  ])("a statement that waited too long for others, or lost to them, is 503, told by %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(asFault(error)).toMatchObject({ code: "not_ready", status: 503, extras: { retry_after: 2 } });
  });

  test.each<[string, unknown]>([
    ["the database", sqlState("53100")],
    [
      "Prisma",
      Object.assign(new Error("Raw query failed"), {
        code: "P2010",
        meta: { driverAdapterError: ofAdapter({ kind: "postgres", code: "53100", originalCode: "53100" }) },
      }),
    ],
  ])("a full disk is 503 and says what to do, told by %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(asFault(error)).toMatchObject({
      code: "not_ready",
      status: 503,
      message: expect.stringContaining("disk"),
      extras: { retry_after: 30 },
    });
  });

  test("a fault stays the same fault", () => {
    const fault = new Fault("not_found");
    expect(asFault(fault)).toBe(fault);
  });
});
