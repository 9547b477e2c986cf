import type { Provider } from "../provider.ts";
import { attioCrm } from "./crm.ts";
import { getSelf } from "./portal.ts";

export const attio = {
  displayName: "Attio",
  category: "crm",
  address: "ATTIO_API_URL",
  credentials: { required: ["access_token"], optional: [] },
  deliveries: "none",
  ask: ({ base, configured }, { access_token = "" }) => getSelf(base, configured, access_token),
  crm: attioCrm,
} satisfies Provider;
