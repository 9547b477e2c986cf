import { describe, expect, it } from "vitest";
import { explainFailure, kindOfFailure } from "./failure.ts";

describe("a failed start of Postgres", () => {
  it.each([
    ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', "port taken"],
    ["FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use", "memory in use"],
    ['FATAL:  lock file "postmaster.pid" already exists', "already running"],
    ["PANIC:  could not locate a valid checkpoint record", "other"],
  ])("%s is of kind %s", (output, kind) => {
    expect(kindOfFailure(output)).toBe(kind);
  });

  it.each([
    ["initdb: error: could not write: No space left on device", "The disk that holds /d is full."],
    ["PANIC:  could not locate a valid checkpoint record at 0/1", "The database in /d is damaged"],
    ["FATAL:  could not create shared memory segment: Cannot allocate memory", "Postgres does not get the memory"],
    [
      "FATAL:  something new\nLOG:  database system is shut down",
      "The embedded Postgres does not start: something new (log: /l)",
    ],
    ["", "it said nothing"],
  ])("%s is told in one line", (output, line) => {
    const { message } = explainFailure(output, "/d", "/l");
    expect(message).toContain(line);
    expect(message).not.toContain("\n");
  });
});
