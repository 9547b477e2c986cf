import { z } from "zod";
import { askerOf } from "../crm.ts";
import { ProviderFault } from "../request.ts";
import { refusalWords } from "./refusals.ts";

export const HUBSPOT = "HubSpot";
/** Paths carry the version of the API by its date. */
export const OBJECTS = "/crm/objects/2026-09";
export const PROPERTIES = "/crm/properties/2026-09";

/** HubSpot names no time to wait: its limits are of 10 seconds and of a day; a locked record takes 2 seconds. */
const TEN_SECONDS = 10_000;
const AN_HOUR = 3_600_000;
const LOCKED_MS = 2_000;
/** 423: the record is locked. 477: the portal is being moved. */
const WAITING = [423, 477];

const Text = z.string();

const Context = z.record(z.string(), z.array(Text)).nullish().catch(null);

/** One error of a batch, or the body of a refused request. */
export const Problem = z.looseObject({
  message: Text.nullish(),
  category: Text.nullish(),
  context: Context,
  errors: z
    .array(z.looseObject({ message: Text.nullish(), context: Context }))
    .nullish()
    .catch(null),
});
export type Problem = z.output<typeof Problem>;

export const Contact = z.looseObject({
  id: z.union([Text, z.int()]).transform(String),
  new: z.boolean().nullish(),
  objectWriteTraceId: Text.nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});
export type Contact = z.output<typeof Contact>;

/** The answer of a batch: 200, or 207 where some of it failed. */
export const Batch = z.looseObject({ results: z.array(Contact), errors: z.array(Problem).nullish() });

const askOnce = askerOf(HUBSPOT);

export const ask: typeof askOnce = (session, kind, schema, call) =>
  askOnce(session, kind, schema, { whyIn, ...call }).catch((error: unknown) => {
    throw error instanceof ProviderFault ? patient(error) : error;
  });

/** A fault that says how long to wait, where HubSpot does not. */
function patient(fault: ProviderFault): ProviderFault {
  const { status, reason, retryAfterMs } = fault;
  if (status !== null && WAITING.includes(status)) return again(fault, retryAfterMs ?? LOCKED_MS);
  if (status === 429 && retryAfterMs === null) return again(fault, /daily/i.test(reason ?? "") ? AN_HOUR : TEN_SECONDS);
  return fault;
}

const whyIn = (body: unknown): string | null => {
  const { data } = Problem.safeParse(body);
  return data ? refusalWords(data) : null;
};

const again = ({ status, reason }: ProviderFault, retryAfterMs: number): ProviderFault =>
  new ProviderFault(HUBSPOT, "rate_limited", { status, reason, retryAfterMs });
