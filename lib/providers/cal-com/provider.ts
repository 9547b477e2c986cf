import { SAMPLE_ADDRESS } from "../news.ts";
import type { Address, Credentials, Provider } from "../provider.ts";
import { type CalComPortal, findWebhooks, getMe, subscribe, unsubscribe } from "./client.ts";
import { bookingEventOf, readBookingNews } from "./deliveries.ts";

/** The portal that credentials open. */
export const portalOf = (address: Address, { api_key = "" }: Credentials): CalComPortal => ({
  ...address,
  apiKey: api_key,
});

export const calCom = {
  displayName: "Cal.com",
  category: "booking",
  address: "CAL_COM_API_URL",
  credentials: { required: ["api_key"], optional: [] },
  async ask(address, credentials) {
    const { id, email, name, username } = await getMe(portalOf(address, credentials));
    const displayName = name || username;
    const called = displayName && email ? `${displayName} (${email})` : displayName || email || `account ${id}`;
    return { id, name: called, ownAddresses: email ? [email.toLowerCase()] : [] };
  },
  deliveries: "registered",
  subscriptions: {
    subscribe: (address, credentials, wanted, existing) => subscribe(portalOf(address, credentials), wanted, existing),
    unsubscribe: (address, credentials, id) => unsubscribe(portalOf(address, credentials), id),
    find: (address, credentials, url) => findWebhooks(portalOf(address, credentials), url),
  },
  inbound: {
    scheme: { header: "x-cal-signature-256", encoding: "hex", key: "text" },
    eventOf: bookingEventOf,
    read: readBookingNews,
    sample: (at) => ({
      triggerEvent: "PING",
      createdAt: at.toISOString(),
      payload: {
        type: "Test",
        title: "Signed test from Rapport",
        attendees: [{ email: SAMPLE_ADDRESS, name: "Sample guest" }],
      },
    }),
  },
} satisfies Provider;
