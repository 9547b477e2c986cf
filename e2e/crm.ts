/** The CRM of all journeys: a stand-in of HubSpot with one contact, and one address that it refuses. */
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";

export const CRM_TOKEN = "pat-of-the-journeys";

export async function startCrm(port?: number): Promise<HubSpotStandIn> {
  const crm = await new HubSpotStandIn().start(port);
  crm.tokens.add(CRM_TOKEN);
  crm.contact({ email: "john@client.example", firstname: "John", jobtitle: "CTO" });
  crm.refused.set("odd@prospect.example", "Property values were not valid");
  return crm;
}
