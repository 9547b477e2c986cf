import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { patchPerson, upsertCompany, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { getActivity, getCompanyStages, getNames, getOverview, getTrends, getWeek } from "./service.ts";

test("counts active people at every stage, of this workspace only", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  expect((await getOverview.execute(caller, {})).people).toBe(0);
  const stages = ["aware", "aware", "client", "evaluating"];
  for (const [index, pipeline_stage] of stages.entries())
    await upsertPerson.execute(caller, { email: `p${index}@acme.com`, pipeline_stage });
  await upsertPerson.execute(other.caller, { email: "x@acme.com", pipeline_stage: "client" });
  await patchPerson.execute(caller, { focus: "p3@acme.com", status: "archived" });
  expect(await getOverview.execute(caller, {})).toEqual({
    stages: [
      { stage: "identified", people: 0 },
      { stage: "aware", people: 2 },
      { stage: "interested", people: 0 },
      { stage: "evaluating", people: 0 },
      { stage: "client", people: 1 },
    ],
    people: 3,
  });
});

test("names people and companies, and nothing of another workspace", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const { person } = await upsertPerson.execute(caller, { email: "anna@gmail.com", first_name: "Anna" });
  const { company } = await upsertCompany.execute(caller, { domain: "acme.com" });
  const foreign = await upsertPerson.execute(other.caller, { email: "x@gmail.com" });
  const { names } = await getNames.execute(caller, { ids: [person.id, company.id, foreign.person.id, newId()] });
  expect(names).toEqual([
    { id: person.id, type: "person", name: "Anna" },
    { id: company.id, type: "company", name: "acme.com" },
  ]);
});

test("counts what happened by day and kind, in the reader's days, without future events", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const event = (property: string, observed_at: string) => ({ kind: "event", property, value: {}, observed_at });
  const now = new Date();
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const observations = [
    event("interaction.email_sent", at(2)),
    event("interaction.email_received", at(2)),
    event("interaction.meeting_held", at(2)),
    event("interaction.call", at(29.9)),
    event("interaction.call", at(40)),
    event("interaction.meeting_scheduled", at(-3)),
    event("invoice_paid", at(0)),
  ];
  await recordObservations.execute(caller, { focus: "anna@acme.com", observations });
  await recordObservations.execute(other.caller, { focus: "x@acme.com", observations });
  const { days, total } = await getActivity.execute(caller, {});
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toMatchObject({ day: now.toISOString().slice(0, 10), counts: { other: 1, email: 0 } });
  expect(days.find(({ day }) => day === at(2).slice(0, 10))?.counts).toMatchObject({ email: 2, meeting: 1, call: 0 });
  const sum = days.flatMap(({ counts }) => Object.values(counts)).reduce((all, count) => all + count, 0);
  expect(total).toBe(sum);
  const ahead = await getActivity.execute(caller, { zone: "Pacific/Kiritimati" });
  const there = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati", dateStyle: "short" });
  expect(ahead.days.at(-1)?.day).toBe(there.format(now));
  await expect(getActivity.execute(caller, { zone: "Europe/Nowhere" })).rejects.toMatchObject({
    code: "invalid_parameter",
    extras: { parameter: "zone" },
  });
});

test("counts the last seven days beside the seven before: new people, replies, meetings, and moves forward only", async () => {
  const [{ caller, id }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const events = (...given: [string, number][]) =>
    given.map(([type, days]) => ({ kind: "event" as const, property: `interaction.${type}`, observed_at: ago(days) }));
  const anna = { focus: "anna@acme.com" };
  await recordObservations.execute(caller, {
    ...anna,
    observations: events(
      ["email_received", 1],
      ["email_received", 9],
      ["email_received", 20],
      ["meeting_held", 8],
      ["email_sent", 1],
    ),
  });
  await recordObservations.execute(other.caller, { ...anna, observations: events(["email_received", 1]) });
  await upsertPerson.execute(caller, { email: "bob@acme.com", pipeline_stage: "evaluating" });
  await upsertPerson.execute(caller, { email: "old@acme.com" });
  // A first stage is a move from identified.
  await patchPerson.execute(caller, { focus: "old@acme.com", pipeline_stage: "aware" });
  await inspect(
    "UPDATE people SET created_at = created_at - interval '8 days' WHERE workspace_id = $1 AND email = 'old@acme.com'",
    [id],
  );
  // Up, which counts once, and down, which does not; Bob began where he is.
  for (const pipeline_stage of ["evaluating", "client", "aware"])
    await patchPerson.execute(caller, { ...anna, pipeline_stage });
  expect(await getWeek.execute(caller, {})).toEqual({
    new_people: { now: 2, before: 1 },
    replies: { now: 1, before: 1 },
    meetings_held: { now: 0, before: 1 },
    moved_forward: { now: 2, before: 0 },
  });
});

test("counts a company's people by stage, and the weeks of a company with those of its people", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const people = [];
  for (const [index, pipeline_stage] of ["aware", "aware", "client"].entries())
    people.push((await upsertPerson.execute(caller, { email: `p${index}@acme.com`, pipeline_stage })).person);
  const { person: stranger } = await upsertPerson.execute(caller, { email: "x@other.com", pipeline_stage: "client" });
  const [{ company_id: acme }] = people as [(typeof people)[number]];
  if (!acme) throw new Error("the address did not link a company");
  const { stages, people: all } = await getCompanyStages.execute(caller, { id: acme });
  expect(all).toBe(3);
  expect(stages.filter((stage) => stage.people > 0)).toEqual([
    { stage: "aware", people: 2 },
    { stage: "client", people: 1 },
  ]);

  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const call = (days: number) => ({ kind: "event", property: "interaction.call", value: {}, observed_at: at(days) });
  const say = (focus: string, ...days: number[]) =>
    recordObservations.execute(caller, { focus, observations: days.map(call) });
  await say("p0@acme.com", 0, 1, 8, 83, 85);
  await say("p1@acme.com", 2, -3);
  await say("acme.com", 15);
  await say("x@other.com", 1);
  const foreign = (await upsertPerson.execute(other.caller, { email: "x@gmail.com" })).person.id;
  const quiet = people[2]?.id ?? "";
  const { trends } = await getTrends.execute(caller, {
    ids: [acme, people[0]?.id, quiet, stranger.id, foreign, newId()],
  });
  expect(Object.fromEntries(trends.map(({ id, weeks }) => [id, weeks]))).toEqual({
    [acme]: [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3],
    [people[0]?.id ?? ""]: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2],
    [quiet]: new Array(12).fill(0),
    [stranger.id]: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  });
  await expect(getCompanyStages.execute(caller, { id: foreign })).rejects.toMatchObject({ code: "entity_not_found" });
});
