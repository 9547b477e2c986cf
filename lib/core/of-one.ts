import { z } from "zod";
import type { ErrorCode } from "./errors.ts";

type About<I extends z.ZodType, O extends z.ZodType> = {
  /** The id in the path, described. */
  id: I;
  output: O;
  /** The code for an id that is unknown, or not one. */
  missing: ErrorCode;
  /** Other codes of the operation. */
  also?: readonly ErrorCode[];
};

/** What the operations that take the id of one row, and nothing else, have in common. */
export const ofOne = <I extends z.ZodType, O extends z.ZodType>({ id, output, missing, also = [] }: About<I, O>) => ({
  input: z.strictObject({ id }),
  output,
  errors: [missing, ...also],
  codes: { fields: { id: missing } },
});
