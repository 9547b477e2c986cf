import { z } from "zod";
import type { Portal } from "../provider.ts";
import { ProviderFault, request } from "../request.ts";

const HUBSPOT = "HubSpot";

const Details = z.looseObject({ portalId: z.int().nullish(), uiDomain: z.string().nullish() });

/** The portal of the token: its details, which private-app tokens and service keys may both read. */
export async function getPortal(base: string, configured: boolean, token: string): Promise<Portal> {
  const headers = { authorization: `Bearer ${token}` };
  const path = "/account-info/v3/details";
  const { status, body } = await request({ provider: HUBSPOT, base, configured }, { path, headers });
  const details = Details.safeParse(body);
  if (!details.success) throw new ProviderFault(HUBSPOT, "unreadable", { status });
  const id = details.data.portalId == null ? null : String(details.data.portalId);
  return { id, name: id && `account ${id}`, ownAddresses: [] };
}
