/** The booking provider of all journeys: a stand-in with one account and a few past bookings. */
import { createHmac } from "node:crypto";
import { CalComStandIn, type StandInWebhook } from "#lib/testing/cal-com.fixture.ts";

export const CALENDAR_KEY = "cal_live_of_the_journeys";

export async function startCalendar(port?: number): Promise<CalComStandIn> {
  const calendar = await new CalComStandIn().start(port);
  calendar.account(CALENDAR_KEY, { id: 1880671, email: "olive@sender.example", name: "Olive Organizer" });
  const past = (uid: string, email: string, more: object = {}) => ({
    uid,
    status: "accepted",
    start: new Date(Date.now() - 20 * 86_400_000).toISOString(),
    end: new Date(Date.now() - 20 * 86_400_000 + 1_800_000).toISOString(),
    title: "Discovery call",
    attendees: [{ email, name: "Grace Prospect" }],
    hosts: [{ email: "olive@sender.example" }],
    ...more,
  });
  calendar.bookings.push(
    past("journey1", "grace@prospect.example"),
    past("journey2", "grace@prospect.example", { status: "cancelled" }),
    past("journey3", "grace@prospect.example", { status: "pending" }),
  );
  return calendar;
}

/** The provider's webhooks for an address, read with the account's key. */
export async function webhooksAt(url: string): Promise<StandInWebhook[]> {
  const { E2E_CAL_COM_URL } = process.env;
  if (!E2E_CAL_COM_URL) throw new Error("E2E_CAL_COM_URL is not set: which booking provider does the app speak to?");
  const headers = { authorization: `Bearer ${CALENDAR_KEY}` };
  const answer = await fetch(`${E2E_CAL_COM_URL}/webhooks?take=250`, { headers });
  const { data } = (await answer.json()) as { data: StandInWebhook[] };
  return data.filter(({ subscriberUrl }) => subscriberUrl === url);
}

/** Delivers to a webhook as the provider does. */
export async function deliver({ subscriberUrl, secret }: StandInWebhook, payload: object): Promise<number> {
  const body = JSON.stringify(payload);
  const signature = createHmac("sha256", secret ?? "")
    .update(body)
    .digest("hex");
  const headers = { "content-type": "application/json", "x-cal-signature-256": signature };
  const answer = await fetch(subscriberUrl, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
}
