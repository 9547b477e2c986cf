import { expect, test, vi } from "vitest";
import { sql } from "#lib/db/statement.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";

const echo = sql("sent_times_echo", "SELECT $1::timestamptz AS one, $2::timestamptz[] AS many");

test("a time arrives as it was sent, alone and in an array, on a computer in a zone whose offset once had seconds", async () => {
  vi.stubEnv("TZ", "Europe/Amsterdam");
  const time = new Date("1850-01-01T00:00:00.123Z");
  const [row] = await withoutWorkspace((db) => db.query<{ one: Date; many: Date[] }>(echo, [time, [time, null]]));
  expect(row).toEqual({ one: time, many: [time, null] });
});
