import type { Provider } from "../provider.ts";
import { hubspotCrm } from "./crm.ts";
import { getPortal } from "./portal.ts";

export const hubspot = {
  displayName: "HubSpot",
  category: "crm",
  address: "HUBSPOT_API_URL",
  credentials: { required: ["access_token"], optional: [] },
  deliveries: "none",
  ask: ({ base, configured }, { access_token = "" }) => getPortal(base, configured, access_token),
  crm: hubspotCrm,
} satisfies Provider;
