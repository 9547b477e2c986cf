import { z } from "zod";
import { dueIn } from "#lib/text/due.ts";
import { DAY_MS, parseTime } from "#lib/text/time.ts";

/** The id of a record: any UUID, whatever its version (`isUuid` says the same), in lower case as the database has it. */
export const Id = z.guid().toLowerCase();

const timeIn = <T>(
  at: (time: Date, isDay: boolean) => T,
  { text = z.string().meta({ format: "date-time" }), word = nearDay }: { text?: z.ZodString; word?: Word } = {},
) =>
  text.transform((text, ctx) => {
    const written = text.length === DAY_LENGTH || /^\d{4}/.test(text) ? text : word(text);
    const time = written === null ? null : parseTime(written);
    if (time && written) return at(time, written.length === DAY_LENGTH);
    ctx.addIssue("must be an ISO 8601 time with an offset, or a date such as 2026-06-03");
    return z.NEVER;
  });

/** The day or moment in UTC that a word means; null for any other word. */
type Word = (text: string) => string | null;

const nearDay: Word = (text) => (/^\s*(today|tomorrow|yesterday)\s*$/i.test(text) ? dayMeant(text) : null);
const dayMeant: Word = (text) => dueIn(text, new Date(), "utc");

const DAY_LENGTH = "2026-06-03".length;

/** An input time as a `Date`: ISO 8601 with an offset, a date (midnight UTC), or `today`, `tomorrow`, `yesterday` in UTC. */
export const Time = timeIn((time) => time);

/** As `Time`, for the end of a span: a date means its last millisecond in UTC, so that the day is included. */
export const EndTime = timeIn((time, isDay) => (isDay ? new Date(time.getTime() + DAY_MS - 1) : time));

/** As `Time`, and whether it was a date alone; also `friday`, `in 3 days` or `tomorrow 15:30`, in UTC. */
export const DayOrTime = timeIn((time, isDay) => ({ time, isDay }), { text: z.string(), word: dayMeant });

/** A number of days: `7d`. */
export const Days = z
  .string()
  .regex(/^\d{1,5}d$/, "must be a number of days such as 7d, from 1d to 36500d")
  .transform((value) => Number(value.slice(0, -1)))
  .refine((days) => days > 0 && days <= 36_500, { error: "must be from 1d to 36500d" });

/** A moment in the past: so many days ago (`1d`), or as `Time`. */
export const Since = z.string().transform((text, ctx) => {
  const days = Days.safeParse(text);
  if (days.success) return new Date(Date.now() - days.data * DAY_MS);
  const time = Time.safeParse(text);
  if (time.success) return time.data;
  ctx.addIssue("must be days such as 1d, yesterday, a date such as 2026-06-03, or an ISO 8601 time with an offset");
  return z.NEVER;
});

/** A list's `cursor` parameter; only the list reads its content. */
export const Cursor = z.string().max(500).describe("`next_cursor` of the page before; opaque.");

/** An output time: UTC, milliseconds, `Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 });

// Dot-atom local part and host labels. A single-label host is fine: a company's own mail server may have one.
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** An address that mail is sent to: trimmed and lower-cased. */
export const EmailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "Write a shorter e-mail address.")
  .regex(ADDRESS, "Write an e-mail address, such as ada@acme.com.")
  .meta({ format: "email" });

/** What the fault of a blank value says; the contract's `missing` code applies. */
export const BLANK = "blank";

/** A string that must contain more than white space. */
export const nonBlank = () => z.string().refine((text) => text.trim() !== "", { error: BLANK });

/** Objects that are checked later, one by one, with the schemas that say what they are like. */
const described = new WeakMap<object, z.ZodType>();

/**
 * An object that is checked later, one by one, and described as the schema of that name (`.meta({ id })`), or as this one.
 * `member`: what each of its members is.
 */
export function describedAs(as: string | z.ZodType): z.ZodRecord<z.ZodString, z.ZodUnknown>;
export function describedAs<M extends z.ZodType>(as: string | z.ZodType, member: M): z.ZodRecord<z.ZodString, M>;
export function describedAs(as: string | z.ZodType, member: z.ZodType = z.unknown()) {
  const id = typeof as === "string" ? as : as.meta()?.id;
  const schema = z.record(z.string(), member).meta({ $ref: `#/$defs/${id}` });
  if (typeof as !== "string") described.set(schema, as);
  return schema;
}

export const describedBy = (schema: object): z.ZodType | undefined => described.get(schema);

const prefixes = new WeakMap<object, string>();

/** The field that collects, by name, the parameters `<prefix>.<name>` and `<prefix>[<name>]` of a query, a body or a tool. */
export function namedFilters<S extends z.ZodType>(prefix: string, schema: S): S {
  prefixes.set(schema, prefix);
  return schema;
}

/** What stands before the names; null for any other field. */
export const prefixOf = (schema: unknown): string | null =>
  (typeof schema === "object" && schema !== null ? prefixes.get(schema) : undefined) ?? null;
