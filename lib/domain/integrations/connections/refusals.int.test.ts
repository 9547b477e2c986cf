import { beforeAll, describe, expect, test } from "vitest";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { booked, connectProvider, type ProviderRequest, recorded } from "#lib/testing/inbound.fixture.ts";
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

beforeAll(() => bootWith({ WORKER: "separate" }));
const server = useServer();

const secretOf = (text: string) => `whsec_${Buffer.alloc(32, text).toString("base64")}`;
const forgedRecording = () => recorded(minimalSample, { secret: secretOf("forger") });
const forgedBooking = () => booked(pingSample, { secret: "forged" });

async function start(...connected: ("cal_com" | "fathom")[]) {
  const workspace = await createTestWorkspace();
  for (const provider of connected) await connectProvider(workspace.id, provider);
  const key = await workspace.key();
  const path = "/v2/workspace/integrations";
  return {
    id: workspace.id,
    deliver: ({ body, headers }: ProviderRequest) =>
      server.call(`/inbound/${"webhook-id" in headers ? "fathom" : "cal_com"}/${workspace.id}`, { raw: body, headers }),
    async card(provider: string) {
      const { body } = await server.call(path, { key });
      return (body.integrations as { provider: string; message?: string }[]).find((one) => one.provider === provider);
    },
    connect: (provider: string, credentials: object) => server.call(path, { key, body: { provider, credentials } }),
    refusals: async () => (await server.call("/v2/workspace/inbound-deliveries", { key })).body.refusals,
  };
}

describe("deliveries that are turned away", () => {
  test("are shown on the provider's card until one is verified again, and leave a live webhook live", async () => {
    const { deliver, card, refusals } = await start("cal_com", "fathom");
    await deliver(recorded(minimalSample));
    expect(await card("fathom")).toMatchObject({ webhook_status: "live" });
    for (let count = 0; count < 3; count++) expect((await deliver(forgedRecording())).status).toBe(401);
    await expect
      .poll(async () => (await card("fathom"))?.message)
      .toMatch(
        /^3 requests to the webhook were turned away since \d{4}-\d\d-\d\d \d\d:\d\d UTC, because the signature does not match\. Compare the signing secret here with the one Fathom shows for the webhook, and check that no proxy changes the body\.$/,
      );
    expect(await card("fathom")).toMatchObject({ webhook_status: "live", is_verified: true });
    expect(await card("cal_com")).not.toHaveProperty("message");
    expect(await refusals()).toMatchObject([{ code: "invalid_signature", count: 3, standing: 3 }]);

    await deliver(recorded({ ...minimalSample, id: "another" }));
    expect(await card("fathom")).not.toHaveProperty("message");
    expect(await refusals()).toMatchObject([{ code: "invalid_signature", count: 3, standing: 0 }]);
  });

  test("are counted from zero after a good one, the most frequent reason first", async () => {
    const { deliver, card } = await start("fathom");
    await deliver(forgedRecording());
    await deliver(recorded(minimalSample));
    await deliver(recorded(minimalSample, { at: new Date(Date.now() - 3_600_000) }));
    expect((await card("fathom"))?.message).toMatch(
      /^1 request .* because the signed time is more than 5 minutes away/,
    );
    await deliver(forgedRecording());
    await deliver(forgedRecording());
    await expect
      .poll(async () => (await card("fathom"))?.message)
      .toMatch(/^3 requests .*, mostly because the signature does not match\. Compare/);
  });

  test("just before a good one do not come back when they are counted", async () => {
    const { deliver, card, refusals } = await start("fathom");
    for (let count = 0; count < 3; count++) await deliver(forgedRecording());
    await deliver(recorded(minimalSample));
    await expect.poll(refusals).toMatchObject([{ count: 3, standing: 0 }]);
    expect(await card("fathom")).not.toHaveProperty("message");
  });

  test("of a provider that is not set up are shown with what to do", async () => {
    const { deliver, card } = await start();
    await deliver(forgedRecording());
    await deliver(forgedBooking());
    expect(await card("fathom")).toMatchObject({
      connected: false,
      webhook_status: "none",
      message: expect.stringContaining(
        "because no signing secret is saved here. Save the signing secret that Fathom shows for the webhook.",
      ),
    });
    expect((await card("cal_com"))?.message).toContain("Connect Cal.com, or delete the webhook there.");
    expect(await card("hubspot")).not.toHaveProperty("message");
  });

  test("are cleared when the provider is connected again, and when the server's own secret is proven", async () => {
    const { deliver, card, connect } = await start();
    await deliver(forgedRecording());
    expect(await card("fathom")).toHaveProperty("message");
    await connect("fathom", { signing_secret: secretOf("new") });
    expect(await card("fathom")).not.toHaveProperty("message");

    const other = await start();
    bootWith({ WORKER: "separate", FATHOM_WEBHOOK_SECRET: secretOf("environment") });
    await other.deliver(forgedRecording());
    expect(await other.card("fathom")).toHaveProperty("message");
    await other.deliver(recorded(minimalSample, { secret: secretOf("environment") }));
    expect(await other.card("fathom")).not.toHaveProperty("message");
    bootWith({ WORKER: "separate" });
  });

  test("are shown beside what else is wrong", async () => {
    const { id, deliver, card } = await start("cal_com");
    await inspect("UPDATE connections SET message = 'Cal.com is slow.' WHERE workspace_id = $1", [id]);
    await deliver(forgedBooking());
    expect((await card("cal_com"))?.message).toMatch(/^Cal\.com is slow\. 1 request .* Register the webhook again/);
  });

  test("without end cost a write a second and one row, and none is missed", async () => {
    const { id, deliver, refusals } = await start("cal_com");
    await inspect("CREATE TABLE IF NOT EXISTS public.counted (workspace_id uuid)");
    await inspect(`CREATE OR REPLACE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO public.counted VALUES (new.workspace_id); RETURN new; END'`);
    await inspect(
      "CREATE TRIGGER counted AFTER INSERT OR UPDATE ON inbound_refusals FOR EACH ROW EXECUTE FUNCTION count_write()",
    );
    const begun = Date.now();
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 10 }, () => deliver(forgedBooking())));
    await expect.poll(refusals).toMatchObject([{ count: 100, standing: 100 }]);
    const seconds = Math.ceil((Date.now() - begun) / 1_000);
    const writes = await inspect("SELECT 1 FROM counted WHERE workspace_id = $1", [id]);
    expect(writes.length).toBeLessThanOrEqual(seconds + 1);
    await inspect("DROP TRIGGER counted ON inbound_refusals");
  });
});
