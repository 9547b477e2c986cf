import { z } from "zod";
import type { Portal } from "../provider.ts";
import { ProviderFault, request } from "../request.ts";

const ATTIO = "Attio";

const Self = z.looseObject({
  active: z.boolean(),
  workspace_id: z.string().nullish(),
  workspace_name: z.string().nullish(),
  /** in seconds; null: never */
  exp: z.number().nullish(),
});

/** The portal of the token. An unknown token answers 200 with `active: false`. */
export async function getSelf(base: string, configured: boolean, token: string): Promise<Portal> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await request({ provider: ATTIO, base, configured }, { path: "/v2/self", headers });
  const self = Self.safeParse(body);
  if (!self.success) throw new ProviderFault(ATTIO, "unreadable", { status });
  if (!self.data.active) throw new ProviderFault(ATTIO, "refused", { status, reason: "the token is not active" });
  const { workspace_id: id = null, workspace_name: name = null, exp } = self.data;
  return { id, name, ownAddresses: [], endsAt: exp == null ? null : new Date(exp * 1000) };
}
