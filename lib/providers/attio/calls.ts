import type { z } from "zod";
import type { CrmSession, CrmTurn } from "../crm.ts";
import { type Call, ProviderFault, request } from "../request.ts";

export const ATTIO = "Attio";

/** Sends a request within the pace, and reads the answer. */
export async function ask<T extends z.ZodType>(
  { base, configured, token, turn }: CrmSession,
  kind: CrmTurn,
  schema: T,
  call: Omit<Call, "headers">,
): Promise<{ status: number; data: z.output<T> }> {
  await turn(kind);
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await request({ provider: ATTIO, base, configured }, { ...call, headers });
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ProviderFault(ATTIO, "unreadable", { status });
  return { status, data: parsed.data };
}
