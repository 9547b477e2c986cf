import { z } from "zod";
import { parseTime } from "./time.ts";

/** The id of a record: any UUID, whatever its version (`isUuid` says the same), in lower case as the database has it. */
export const Id = z.guid().toLowerCase();

/** An input time as a `Date`: ISO 8601 with an offset, or a date (midnight UTC). */
export const Time = z
  .string()
  .meta({ format: "date-time" })
  .transform((text, ctx) => {
    const time = parseTime(text);
    if (time) return time;
    ctx.addIssue("must be an ISO 8601 time with an offset, or a date such as 2026-06-03");
    return z.NEVER;
  });

/** An output time: UTC, milliseconds, `Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 });
