import { z } from "zod";
import type { Portal } from "../provider.ts";
import { ProviderFault, request } from "../request.ts";

const ATTIO = "Attio";

const Self = z.looseObject({
  active: z.boolean(),
  workspace_id: z.string().nullish(),
  workspace_name: z.string().nullish(),
});

/** The portal of the token. An unknown token answers 200 with `active: false`. */
export async function getSelf(base: string, configured: boolean, token: string): Promise<Portal> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await request({ provider: ATTIO, base, configured }, { path: "/v2/self", headers });
  const self = Self.safeParse(body);
  if (!self.success) throw new ProviderFault(ATTIO, "unreadable", { status });
  if (!self.data.active) throw new ProviderFault(ATTIO, "refused", { status, reason: "the token is not active" });
  return { id: self.data.workspace_id ?? null, name: self.data.workspace_name ?? null, ownAddresses: [] };
}
