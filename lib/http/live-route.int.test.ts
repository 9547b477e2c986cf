/** The events of an open page, over real connections. */
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { livePlaces } from "#lib/domain/knowledge/feed/service.ts";
import { announce } from "#lib/live/announce.ts";
import { type signedInBrowser as Browser, signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { eventsOf, type StreamEvent } from "#lib/testing/events.fixture.ts";
import { connectProvider, type ProviderRequest, RECORDER_SECRET, recorded } from "#lib/testing/inbound.fixture.ts";
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();
beforeAll(() => bootWith({ SIGNUPS: "open" }));

type Live = StreamEvent<Record<string, unknown>>;
type Visitor = Awaited<ReturnType<typeof Browser>>;

/** Opens the stream. */
const listen = (visitor: Visitor, { since, lastId }: { since?: string; lastId?: string } = {}) =>
  eventsOf<Record<string, unknown>>(`${url()}${visitor.app}/live${since === undefined ? "" : `?since=${since}`}`, {
    ...visitor.headers(),
    ...(lastId === undefined ? {} : { "last-event-id": lastId }),
  });

const capture = async (visitor: Visitor, email: string, externalId: string) =>
  (
    await call(`${visitor.app}/api/v1/capture`, {
      headers: visitor.headers(),
      body: { email, type: "email_received", external_id: externalId },
    })
  ).body as { contact_id: string; activity_id: string };

test("an activity is sent to every open page of its workspace, and to no other", async () => {
  const [one, other] = [await signedInBrowser(url()), await signedInBrowser(url())];
  const [first, second, foreign] = await Promise.all([listen(one), listen(one), listen(other)]);
  for (const stream of [first, second, foreign])
    expect(await stream.next()).toMatchObject({ event: "missed", data: { entity_ids: [], all: false } });
  const { contact_id } = await capture(one, "anna@acme.com", "a");
  for (const stream of [first, second])
    expect(await stream.next()).toMatchObject({ event: "activity", data: { entity_id: contact_id } });
  const theirs = await capture(other, "bo@other.com", "b");
  expect(await foreign.next()).toMatchObject({ event: "activity", data: { entity_id: theirs.contact_id } });
  for (const stream of [first, second, foreign]) stream.leave();
});

test("what committed while no one listened is missed, even with a lower number than the last one that was seen", async () => {
  const one = await signedInBrowser(url());
  const workspaceId = one.app.split("/").at(-1) as WorkspaceId;
  const { contact_id } = await capture(one, "anna@acme.com", "a");
  const slow = new pg.Client({ connectionString: database.adminUrl });
  await slow.connect();
  try {
    await slow.query("BEGIN");
    // It has its number now, and commits after the next one.
    await slow.query(
      `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
       VALUES ($1, $2, $3, 'event', 'interaction.call', '{}', 'test', 'observed', now(), 'test:test')`,
      [workspaceId, newId(), contact_id],
    );
    await capture(one, "bo@acme.com", "b");
    const stream = await listen(one);
    const place = (await stream.next())?.id as string;
    stream.leave();
    await slow.query("COMMIT");
    const again = await listen(one, { lastId: place });
    expect(await again.next()).toMatchObject({
      event: "missed",
      data: { entity_ids: expect.arrayContaining([contact_id]), all: false },
    });
    again.leave();
  } finally {
    await slow.end();
  }
});

test("deliveries, and refused ones, are announced once they can be read, without a place among activities", async () => {
  const [one, other] = [await signedInBrowser(url()), await signedInBrowser(url())];
  const workspaceId = one.app.split("/").at(-1) as WorkspaceId;
  await connectProvider(workspaceId, "fathom");
  await capture(one, "jane@acme.example", "a");
  const [stream, foreign] = [await listen(one), await listen(other)];
  await Promise.all([stream.next(), foreign.next()]);
  const deliver = ({ body, headers }: ProviderRequest) =>
    call(`/inbound/fathom/${workspaceId}`, { raw: body, headers });
  const log = () => call(`${one.app}/v2/workspace/inbound-deliveries`, { headers: one.headers() });

  await deliver(recorded(minimalSample, { secret: `whsec_${Buffer.alloc(32, "forger").toString("base64")}` }));
  expect(await stream.next()).toEqual({ event: "integrations", id: null, data: {} });
  expect((await log()).body).toMatchObject({ refusals: [{ count: 1 }], deliveries: [] });

  await deliver(recorded(minimalSample));
  // The meeting, its notes, and the delivery itself.
  const told = [await stream.next(), await stream.next(), await stream.next()];
  expect(told.map((each) => each?.event).sort()).toEqual(["activity", "activity", "integrations"]);
  expect((await log()).body).toMatchObject({ refusals: [{ standing: 0 }], deliveries: [{ answer: { logged: 1 } }] });

  // None of it went to the other workspace: its next event is its own.
  await call(`${other.app}/v2/workspace/integrations`, {
    headers: other.headers(),
    body: { provider: "fathom", credentials: { signing_secret: RECORDER_SECRET } },
  });
  expect(await foreign.next()).toEqual({ event: "integrations", id: null, data: {} });
  await call(`${one.app}/integrations/fathom/webhook`, { headers: one.headers(), body: {} });
  const { deliveries } = (await log()).body as { deliveries: { id: string }[] };
  await call(`${one.app}/v2/workspace/inbound-deliveries/${deliveries[0]?.id}/replay`, {
    headers: one.headers(),
    body: {},
  });
  expect(await stream.next()).toMatchObject({ event: "integrations" });
  for (const each of [stream, foreign]) each.leave();

  // It does not move a reader's place: after reconnecting no activity is missed, and the page fetches the rest itself.
  await settled(workspaceId);
  const again = await listen(one, { since: livePlaces.encode({ workspaceId }, [1, 0]) });
  const { id: place } = (await again.next()) as Live;
  await deliver(recorded(minimalSample, { at: new Date(0) }));
  expect(await again.next()).toEqual({ event: "integrations", id: null, data: {} });
  again.leave();
  const back = await listen(one, { lastId: place as string });
  expect(await back.next()).toMatchObject({ event: "missed", data: { entity_ids: [], all: false } });
  back.leave();
});

test("a reader who reconnects gets what was missed, by header or by address, and nothing when nothing was", async () => {
  const visitor = await signedInBrowser(url());
  const before = await listen(visitor);
  await before.next();
  const { contact_id } = await capture(visitor, "anna@acme.com", "a");
  const seen = (await before.next()) as Live;
  before.leave();
  const missed = await capture(visitor, "bo@acme.com", "b");
  await settled(visitor.app.split("/").at(-1) as WorkspaceId);
  for (const place of [{ lastId: seen.id as string }, { since: seen.id as string }]) {
    const again = await listen(visitor, place);
    const told = (await again.next()) as Live;
    expect(told.event).toBe("missed");
    expect(told.data.entity_ids).toContain(missed.contact_id);
    again.leave();
    const current = await listen(visitor, { since: told.id as string });
    expect(await current.next()).toMatchObject({ data: { entity_ids: [], all: false } });
    current.leave();
  }
  expect(contact_id).not.toBe(missed.contact_id);
});

test("a reader who missed more than can be listed is told to fetch everything", async () => {
  const visitor = await signedInBrowser(url());
  await inspect(
    "SELECT setval(pg_get_serial_sequence('observations', 'seq'), nextval(pg_get_serial_sequence('observations', 'seq')) + 20000)",
  );
  await capture(visitor, "anna@acme.com", "a");
  const workspaceId = visitor.app.split("/").at(-1) as string;
  const first = livePlaces.encode({ workspaceId }, [1, 0]);
  // A place of another workspace, or of an earlier version, counts as the beginning.
  const foreign = livePlaces.encode({ workspaceId: newId() }, [30_000, 0]);
  for (const since of [first, foreign, "30000", `${first.slice(0, -1)}x`]) {
    const stream = await listen(visitor, { since });
    expect(await stream.next()).toMatchObject({ event: "missed", data: { entity_ids: [], all: true } });
    stream.leave();
  }
});

test("events contain no number of the installation, and places never go back", async () => {
  const visitor = await signedInBrowser(url());
  const workspaceId = visitor.app.split("/").at(-1) as string;
  const stream = await listen(visitor);
  const told = [(await stream.next()) as Live];
  for (const email of ["anna@acme.com", "bo@acme.com"]) {
    await capture(visitor, email, email);
    told.push((await stream.next()) as Live);
  }
  announce(workspaceId, { topic: "activity", entity_id: workspaceId, seq: 1 }); // as an activity that commits late
  told.push((await stream.next()) as Live);
  stream.leave();
  const places = told.map(({ id }) => livePlaces.decode({ workspaceId }, id as string)[0]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.at(-1)).toBe(places.at(-2));
  for (const { data } of told) expect(JSON.stringify(data)).not.toMatch(/seq|:\d/);
});

test.each([
  ["without a session", {}, 401, "session_required"],
  ["with a session of somebody else", null, 404, "not_found"],
])("%s it is refused", async (_what, headers, status, error) => {
  const [owner, foreign] = [await signedInBrowser(url()), await signedInBrowser(url())];
  const answer = await call(`${owner.app}/live`, { headers: headers ?? foreign.headers() });
  expect([answer.status, answer.body]).toMatchObject([status, { error }]);
});
