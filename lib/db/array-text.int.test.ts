import fc from "fast-check";
import { expect, test } from "vitest";
import { database } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";
import { arrayText } from "./array-text.ts";

const text = fc.string({ unit: "grapheme" }).filter((given) => !given.includes("\u0000"));

test("Postgres reads what was given", async () => {
  await administer(database.adminUrl, (client) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(text)),
        fc.array(fc.option(fc.integer())),
        fc.array(fc.option(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }))),
        async (texts, numbers, times) => {
          const { rows } = await client.query(
            "SELECT $1::text[] AS texts, $2::int[] AS numbers, $3::timestamptz[] AS times",
            [texts, numbers, times].map(arrayText),
          );
          expect(rows).toEqual([{ texts, numbers, times }]);
        },
      ),
    ),
  );
});
