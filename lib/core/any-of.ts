import { z } from "zod";
import { splitList } from "#lib/text/list-text.ts";

/** One of some values of a field, or none of them. */
export type ValueChoice<T> = { is: "any" | "not"; values: readonly T[] };

/** The same of a field that may be empty, or whether it has a value at all. */
export type AnyOf<T> = ValueChoice<T> | { is: "exists"; exists: boolean };

/** The longest list of values, in letters. */
const LONGEST = 4_000;
const MOST_VALUES = 100;

type Options<T> = {
  /** What a value is, in words, as in "must be a UUID". */
  what: string;
  /** All values that there are. */
  allowed?: readonly T[];
};

/**
 * Several values of a field as one parameter: `a`, `a,b`, or `not:a,b` for records that have none of them. `item` checks a
 * value.
 */
export const anyOf = <T extends string>(item: z.ZodType<T>, options: Options<T>): z.ZodType<ValueChoice<T>, string> =>
  severalOf(item, options, false) as unknown as z.ZodType<ValueChoice<T>, string>;

/** As `anyOf`, of a field that may be empty: also `exists:true` and `exists:false`. */
export const anyOrNone = <T extends string>(item: z.ZodType<T>, options: Options<T>) => severalOf(item, options, true);

const severalOf = <T extends string>(item: z.ZodType<T>, { what, allowed }: Options<T>, optional: boolean) =>
  z
    .string()
    .max(LONGEST)
    .transform((text, ctx): AnyOf<T> => {
      const [, operator = "any", rest = text] = /^(not|exists):(.*)$/s.exec(text) ?? [];
      if (operator === "exists" && optional && /^(true|false)$/.test(rest))
        return { is: "exists", exists: rest === "true" };
      const read = splitList(rest).map((part) => item.safeParse(part));
      const values = read.flatMap((each) => (each.success ? [each.data] : []));
      if (operator !== "exists" && values.length === read.length && values.length <= MOST_VALUES)
        return { is: operator as ValueChoice<T>["is"], values: [...new Set(values)] };
      const more = optional ? "; exists:true and exists:false ask whether there is one" : "";
      const message =
        values.length > MOST_VALUES
          ? `must be at most ${MOST_VALUES} values`
          : `must be ${what}; several are separated by commas, and \`not:\` before them means none of them${more}`;
      ctx.addIssue(
        allowed
          ? { code: "invalid_value", values: [...allowed], input: text, message }
          : { code: "custom", input: text, message },
      );
      return z.NEVER;
    });

/**
 * A text to be matched whole, as it is given; `in:a,b` and `not:a,b` take several, and `eq:` goes before a text that begins
 * like one of these.
 */
export const anyText = (longest: number) =>
  z
    .string()
    .max(LONGEST)
    .transform((text, ctx): ValueChoice<string> => {
      const [, operator = "eq", rest = text] = /^(eq|in|not):(.*)$/s.exec(text) ?? [];
      const values = operator === "eq" ? [rest] : splitList(rest);
      const wrong =
        values.length > MOST_VALUES
          ? `must be at most ${MOST_VALUES} values`
          : operator !== "eq" && values.includes("")
            ? `${operator} takes values separated by commas`
            : values.some((value) => value.length > longest)
              ? `must be at most ${longest} letters`
              : null;
      if (wrong === null) return { is: operator === "not" ? "not" : "any", values: [...new Set(values)] };
      ctx.addIssue({ code: "custom", input: text, message: wrong });
      return z.NEVER;
    });

/** The values of a closed list that a filter means. */
export const chosenOf = <T>(filter: ValueChoice<T>, all: readonly T[]): T[] =>
  all.filter((value) => filter.values.includes(value) === (filter.is === "any"));
