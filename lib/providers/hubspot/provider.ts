import type { Provider } from "../provider.ts";
import { getAccount } from "./account.ts";
import { hubspotCrm } from "./crm.ts";

export const hubspot = {
  displayName: "HubSpot",
  category: "crm",
  address: "HUBSPOT_API_URL",
  credentials: { required: ["access_token"], optional: [] },
  deliveries: "none",
  ask: ({ base, configured }, { access_token = "" }) => getAccount(base, configured, access_token),
  crm: hubspotCrm,
} satisfies Provider;
