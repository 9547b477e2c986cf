/** Deliveries of providers: the recorder's meeting on the account page with its note, and the log of deliveries. */
import { createHmac } from "node:crypto";
import { agentOf, axe, expect, type Owner, shoot, signIn, test } from "./fixture.ts";

const SECRET = Buffer.alloc(32, "recorder of a journey");

/** Delivers as the recording provider does. */
async function deliver(baseURL: string, owner: Owner, payload: object, key: Buffer = SECRET): Promise<Response> {
  const body = JSON.stringify(payload);
  const id = `msg_${Math.random().toString(36).slice(2)}`;
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return fetch(`${baseURL}/inbound/fathom/${owner.workspace_id}`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Fathom",
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": `v1,${signature}`,
    },
  });
}

const recording = (id: string, title: string, email: string, summary: string) => ({
  id,
  title,
  recording_start_time: new Date(Date.now() - 3_600_000).toISOString(),
  share_url: `https://fathom.video/call/${id}`,
  default_summary: { markdown_formatted: summary },
  calendar_invitees: [
    { name: "Jane Smith", email },
    { name: "You", email: "you@company.example" },
  ],
});

test("a recorded meeting appears on the account page with its note, and in the log with its payload", async ({
  page,
  app,
  owner,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  const credentials = { signing_secret: `whsec_${SECRET.toString("base64")}` };
  await send("/v2/workspace/integrations", { provider: "fathom", credentials });
  await send("/v2/people", { email: "jane@acmeworks.com", first_name: "Jane", last_name: "Smith" });
  await signIn(page, owner);

  await page.goto(`/${owner.workspace_id}/integrations/deliveries`);
  await expect(page.getByText("Nothing delivered yet")).toBeVisible();
  await axe(page);
  await shoot(page, "deliveries-empty");

  await expect(page.getByText("Kept for 30 days (the server's default)")).toBeVisible();
  await page.getByRole("button", { name: "Change…" }).click();
  const days = page.getByRole("textbox", { name: "Days" });
  await days.fill("400");
  await days.press("Enter");
  await expect(page.getByText("Enter a whole number from 1 to 365")).toBeVisible();
  await axe(page);
  await shoot(page, "deliveries-retention");
  await days.fill("90");
  await days.press("Enter");
  await expect(page.getByText("Kept for 90 days")).toBeVisible();

  // It arrives while the page is open.
  const call = recording(
    "rec_1",
    "Discovery call",
    "jane@acmeworks.com",
    "## Key points\n\n- Wants **SSO** before July.",
  );
  expect((await deliver(app.baseURL, owner, call)).status).toBe(200);
  await expect(page.getByText("Logged on 1 contact.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Discovery call" })).toBeVisible();

  const early = recording("rec_2", "Pilot review", "ben@northgate.dev", "Ben was not a contact yet.");
  expect((await deliver(app.baseURL, owner, early)).status).toBe(200);
  expect((await deliver(app.baseURL, owner, call, Buffer.alloc(32, "forged"))).status).toBe(401);
  await expect(page.getByText("None of the invitees is a contact.")).toBeVisible();
  await expect(page.getByText("1 request turned away: the signature does not match.")).toBeVisible();
  const byDay = page.getByRole("region", { name: "Deliveries by day" });
  await expect(byDay.getByText("2 processed, 0 failed")).toBeVisible();
  await byDay.getByText("Show as a table").click();
  await expect(byDay.getByRole("row").nth(1)).toContainText("20");
  await axe(page);
  await shoot(page, "deliveries");

  await send("/v2/people", { email: "ben@northgate.dev", first_name: "Ben" });
  const early2 = page.getByRole("listitem").filter({ hasText: "None of the invitees" });
  await early2.getByRole("button").press("Enter");
  const sheet = page.getByRole("dialog", { name: "Pilot review" });
  await expect(sheet.getByText('"title": "Pilot review"')).toBeVisible();
  await expect(sheet.getByText("user-agent: Fathom")).toBeVisible();
  await axe(page);
  await shoot(page, "delivery");
  await sheet.getByRole("button", { name: "Replay" }).click();
  await expect(sheet.getByText("Logged on 1 contact.")).toBeVisible();
  await expect(sheet.getByText("Replayed: processed.")).toBeVisible();
  await sheet.getByRole("link", { name: "Ben" }).click();
  await expect(page.getByRole("heading", { name: "Ben", level: 1 })).toBeVisible();
  await expect(page.getByText("Meeting: Pilot review")).toBeVisible();

  await page.goto(`/${owner.workspace_id}/integrations/deliveries?status=skipped`);
  await expect(page.getByText("No delivery fits these filters.")).toBeVisible();

  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Integrations" }).click();
  const recorder = page.getByRole("region", { name: "Meeting recording" });
  await expect(recorder.getByRole("button", { name: "Pilot review" })).toBeVisible();
  await recorder.getByRole("button", { name: "Test Fathom" }).click();
  await expect(recorder.getByRole("button", { name: "Signed test from Rapport" })).toBeVisible();
  await expect(recorder.getByText("1 request to the webhook was turned away on")).toContainText(
    "because the signature does not match. Compare the signing secret here with the one Fathom shows for the webhook",
  );
  // All of this without a reload, and long before the page would poll.
  expect((await deliver(app.baseURL, owner, call, Buffer.alloc(32, "forged again"))).status).toBe(401);
  await expect(recorder.getByText("2 requests to the webhook were turned away since")).toBeVisible();
  const stray = { method: "POST", body: "{}", headers: { "x-cal-signature-256": "0".repeat(64) } };
  expect((await fetch(`${app.baseURL}/inbound/cal_com/${owner.workspace_id}`, stray)).status).toBe(401);
  const booking = page.getByRole("region", { name: "Booking", exact: true });
  await expect(booking.getByText("because no signing secret is saved here. Connect Cal.com")).toBeVisible();
  await expect(recorder.getByText("Live", { exact: true })).toBeVisible(); // in spite of forged requests
  await axe(page);
  await shoot(page, "recorder-refusing");
  await deliver(app.baseURL, owner, recording("rec_3", "Kick-off", "nobody@northgate.dev", "Since then all is well."));
  await expect(recorder.getByRole("button", { name: "Kick-off" })).toBeVisible();
  await expect(recorder.getByText("turned away")).toBeHidden();
  await axe(page);
  await shoot(page, "recorder");

  await page.goto(`/${owner.workspace_id}/people?search=jane`);
  await page.getByRole("link", { name: "Jane Smith" }).click();
  await expect(page.getByText("Meeting: Discovery call")).toBeVisible();
  await page.getByRole("tab", { name: "Notes" }).click();
  await page.getByRole("button", { name: "Discovery call" }).click();
  await expect(page.getByRole("dialog").getByText("Wants SSO before July.")).toBeVisible();
});
