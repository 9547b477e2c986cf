import { getBoot } from "#lib/core/boot.ts";
import { isConfigured } from "#lib/core/env.ts";

/** The address of an API. `configured`: the operator set it, so it may be a private one. */
export function addressOf(name: "CAL_COM_API_URL" | "FATHOM_API_URL" | "HUBSPOT_API_URL" | "ATTIO_API_URL"): {
  base: string;
  configured: boolean;
} {
  const { env } = getBoot();
  return { base: env[name], configured: isConfigured(env, name) };
}
