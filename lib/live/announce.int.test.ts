import pg from "pg";
import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { type Announcement, announce, type Listener, subscribe } from "./announce.ts";

useServer();

type OfActivity = Extract<Announcement, { topic: "activity" }>;
const announcement = (seq: number): OfActivity => ({ topic: "activity", entity_id: newId(), seq });

const until = (condition: () => boolean) => expect.poll(condition, { interval: 10 }).toBe(true);

test("subscribers of this instance are called at once, for their workspace, until they leave", () => {
  const [mine, theirs] = [newId(), newId()];
  const heard: unknown[] = [];
  const stop = subscribe(mine, (told) => heard.push(told));
  const first = announcement(1);
  announce(mine, first);
  announce(theirs, announcement(2));
  stop();
  announce(mine, announcement(3));
  expect(heard).toEqual([first]);
});

test("other instances get the announcements of a moment in few notifications, none too long", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  const payloads: string[] = [];
  await listener.connect();
  listener.on("notification", ({ payload }) => payloads.push(payload ?? ""));
  await listener.query("LISTEN rapport_live");
  const workspace = newId();
  const sent = Array.from({ length: 300 }, (_, seq) => announcement(seq));
  for (const each of sent) announce(workspace, each);
  const told = () =>
    payloads
      .flatMap((payload) => (JSON.parse(payload) as [string, ...string[][]]).slice(1))
      .filter(([id]) => id === workspace);
  await until(() => told().length === sent.length);
  await listener.end();
  expect(told()).toEqual(sent.map(({ topic, entity_id, seq }) => [workspace, topic, entity_id, seq]));
  expect(payloads.length).toBeLessThan(10);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
});

test("changed integrations are announced here each time, and to other instances once a moment for each workspace", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  const payloads: string[] = [];
  await listener.connect();
  listener.on("notification", ({ payload }) => payloads.push(payload ?? ""));
  await listener.query("LISTEN rapport_live");
  const [one, other] = [newId(), newId()];
  const heard: Parameters<Listener>[0][] = [];
  const stop = subscribe(one, (told) => heard.push(told));
  const activity = announcement(9);
  for (const workspace of [one, other, one, one]) announce(workspace, { topic: "integrations" });
  announce(one, activity);
  const told = () => payloads.flatMap((payload) => (JSON.parse(payload) as [string, ...unknown[][]]).slice(1));
  await until(() => told().length === 3);
  await listener.end();
  stop();
  expect(heard).toEqual([{ topic: "integrations" }, { topic: "integrations" }, { topic: "integrations" }, activity]);
  expect(told()).toEqual([
    [one, "integrations"],
    [other, "integrations"],
    [one, "activity", activity.entity_id, 9],
  ]);
});

test("what only a member may know is not taken for what all may", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  const payloads: string[] = [];
  await listener.connect();
  listener.on("notification", ({ payload }) => payloads.push(payload ?? ""));
  await listener.query("LISTEN rapport_live");
  const [workspace, ada, bo] = [newId(), newId(), newId()];
  for (const user_id of [ada, bo, ada]) announce(workspace, { topic: "integrations", user_id });
  announce(workspace, { topic: "integrations" });
  const told = () => payloads.flatMap((payload) => (JSON.parse(payload) as [string, ...unknown[][]]).slice(1));
  await until(() => told().length === 3);
  await listener.end();
  expect(told()).toEqual([
    [workspace, "integrations", ada],
    [workspace, "integrations", bo],
    [workspace, "integrations"],
  ]);
});

test("announcements of another instance arrive here, and a lost connection is reported as a gap", async () => {
  const workspace = newId();
  const heard: Parameters<Listener>[0][] = [];
  const stop = subscribe(workspace, (told) => heard.push(told));
  const { topic, entity_id, seq } = announcement(7);
  const send = (...told: unknown[][]) =>
    inspect("SELECT pg_notify('rapport_live', $1)", [JSON.stringify([newId(), ...told])]);
  const notify = () => send([workspace, topic, entity_id, seq]);
  await notify();
  await until(() => heard.length === 1);
  expect(heard).toEqual([{ topic, entity_id, seq }]);
  await inspect(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rapport-rapport_live' AND datname = current_database()",
  );
  await until(() => heard.length >= 3); // at the loss and at the new connection
  expect(heard.slice(1)).toEqual([null, null]);
  await notify();
  await until(() => heard.length >= 4);
  expect(heard[3]).toEqual({ topic, entity_id, seq });
  await send([newId(), "integrations"], [workspace, "integrations"]);
  await until(() => heard.length >= 5);
  expect(heard.slice(4)).toEqual([{ topic: "integrations" }]);
  const user_id = newId();
  await send([workspace, "integrations", user_id]);
  await until(() => heard.length >= 6);
  expect(heard.slice(5)).toEqual([{ topic: "integrations", user_id }]);
  stop();
});
