import type { Address } from "../provider.ts";
import { ProviderFault, request } from "../request.ts";

const FATHOM = "Fathom";

/** Asks whether the API key is accepted, by a page of the meetings from now on: there is none. Throws `ProviderFault`. */
export async function checkKey({ base, configured }: Address, key: string, now = new Date()): Promise<void> {
  const query = { created_after: now.toISOString() };
  const headers = { "x-api-key": key };
  const { status, body } = await request({ provider: FATHOM, base, configured }, { path: "/meetings", query, headers });
  if (typeof body !== "object" || body === null || !("items" in body))
    throw new ProviderFault(FATHOM, "unreadable", { status });
}
