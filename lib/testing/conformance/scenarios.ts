import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Scope } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { sealCredentials } from "#lib/domain/integrations/connections/service/sealed.ts";
import { registering } from "#lib/domain/integrations/connections/service/webhook.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { operations } from "#lib/registry.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { settled } from "../changes.fixture.ts";
import { connectCrm } from "../crm.fixture.ts";
import { connectProvider } from "../inbound.fixture.ts";
import type { Stage } from "./stage.ts";

type Input = Record<string, unknown>;

/** How the battery makes an operation succeed, and what its id fields refer to. */
export type Scenario = {
  /** An input that is accepted in this workspace. Called again for each request. Default: the contract's example. */
  input?(stage: Stage): Promise<Input> | Input;
  /** Existing ids of this workspace, for id fields the input above leaves out. */
  ids?: Readonly<Record<string, (stage: Stage) => Promise<string>>>;
  /** What an id field needs beside it, where the input above does not have it. */
  with?: Readonly<Record<string, Input>>;
  /** Id fields that filter a list, or name some of many: an unknown id matches nothing, which is not an error. */
  filters?: readonly string[];
  /** Why the operation has nothing to replay, even with an Idempotency-Key. */
  neverReplayed?: string;
};

const fact = async (stage: Stage): Promise<{ id: string; content: string }> =>
  (await stage.run("saveFact", { section: "ICP", content: "Series A fintechs" })).fact as {
    id: string;
    content: string;
  };

const factId = async (stage: Stage): Promise<string> => (await fact(stage)).id;

/** A note on the Anna of the examples. */
async function annasNote(stage: Stage): Promise<string> {
  await stage.anna();
  const saved = await stage.run("saveNote", { focus: "anna@acme.com", content: "Anna wants SSO." });
  return (saved.note as { id: string }).id;
}

const apiKey = async (stage: Stage): Promise<{ id: string; name: string }> =>
  (await stage.run("mintApiKey", { name: "Outreach agent", scopes: ["read"] })).key as { id: string; name: string };

/** Sets what the operator has to set for addresses for copies of mail. */
function withLogMailbox(): Input {
  const boot = getBoot();
  setBoot({ ...boot, env: { ...boot.env, LOG_MAILBOX_URL: "imaps://log%40log.example:secret@mx.log.example" } });
  return {};
}

/** A group that a directory sent, or an admin wrote down. */
const directoryGroup = (stage: Stage, byHand = false): Promise<string> =>
  withWorkspace(stage.id, async (db) => {
    const data = { workspaceId: stage.id, id: newId(), displayName: `Group ${newId()}`, byHand };
    return (await db.prisma.directoryGroup.create({ data, select: { id: true } })).id;
  });

/** What a member connected, as if they had approved it. */
async function connectedClient(stage: Stage): Promise<string> {
  const { userId } = await stage.person("member");
  const id = newId();
  const client = { clientId: "client_test", clientName: "Claude Code", clientHost: "localhost" };
  const expiresAt = new Date(Date.now() + 86_400_000);
  const scopes: Scope[] = ["read"];
  await withWorkspace(stage.id, (db) =>
    db.prisma.oauthGrant.create({
      data: {
        workspaceId: stage.id,
        id,
        userId,
        ...client,
        scopes,
        resource: "https://rapport.example.com/mcp",
        expiresAt,
      },
      select: { id: true },
    }),
  );
  return id;
}

const memberId = async (stage: Stage): Promise<string> => (await stage.person("member")).memberId;

const person = (stage: Stage): Promise<string> => stage.entity("person");
const activity = async (stage: Stage): Promise<string> =>
  (await stage.run("capture", { contact_id: await person(stage), type: "call" })).activity_id as string;
/** Someone whose job title is known. */
const titled = (stage: Stage): Promise<string> => stage.anna();

const note = async (stage: Stage): Promise<string> => {
  const saved = await stage.run("saveNote", { focus: await person(stage), content: "Anna wants SSO." });
  return (saved.note as { id: string }).id;
};

const view = async (stage: Stage): Promise<string> => {
  const place = "pipeline_stage=client";
  const saved = await stage.run("saveView", { list: "people", name: `Clients ${newId()}`, place, shared: true });
  return (saved.view as { id: string }).id;
};

/** A delivery that came in; making a second connection of the provider would be refused. */
const delivery = async (stage: Stage): Promise<string> => {
  await connectProvider(stage.id, "fathom").catch(() => undefined);
  const sent = await stage.run("sendTestDelivery", { provider: "fathom" });
  return (sent.delivery as { id: string }).id;
};

/** A trigger of its own whose target does not exist. */
const trigger = async (stage: Stage): Promise<string> => {
  const made = await stage.run("createTrigger", {
    url: `https://hooks.example/${newId()}`,
    events: ["stage.advanced"],
  });
  return (made.trigger as { id: string }).id;
};
const ofTrigger = { input: async (stage: Stage) => ({ id: await trigger(stage) }) };

/** A test that was sent in vain. */
const triggerDelivery = {
  async input(stage: Stage): Promise<Input> {
    const sent = await stage.run("testTrigger", { id: await trigger(stage) });
    return { id: (sent.delivery as { id: string }).id };
  },
};

const company = (stage: Stage): Promise<string> => stage.entity("company");

const fathom = { provider: "fathom", credentials: { signing_secret: `whsec_${"a".repeat(43)}=` } };

/** The provider's name, once the workspace is connected to it. */
const connectedTo = async (stage: Stage): Promise<Input> => {
  await stage.run("connectIntegration", fathom);
  return { provider: fathom.provider };
};

/** A connection to the booking provider, as if it had been made; its key is not valid. */
async function bookingProvider(stage: Stage): Promise<void> {
  const { integrations } = (await stage.run("listIntegrations", {})) as { integrations: Record<string, unknown>[] };
  if (integrations.some(({ provider, connected }) => provider === "cal_com" && connected)) return;
  const id = newId();
  const data = { workspaceId: stage.id, id, provider: "cal_com", isVerified: true, createdBy: "test" };
  const credentials = sealCredentials(id, { api_key: "cal_test" });
  await withWorkspace(stage.id, (db) =>
    db.prisma.connection.create({ data: { ...data, credentials }, select: { id: true } }),
  );
}

/** A connection to a CRM, as if it had been made; its token is not valid, and the server it names refuses every call. */
async function crm(stage: Stage): Promise<Input> {
  const { integrations } = (await stage.run("listIntegrations", {})) as { integrations: Record<string, unknown>[] };
  if (!integrations.some(({ provider, connected }) => provider === "hubspot" && connected)) await connectCrm(stage.id);
  return { provider: "hubspot" };
}

/** Every run is over, so that another can begin. */
async function idleCrm(stage: Stage): Promise<Input> {
  await withWorkspace(stage.id, ({ prisma }) =>
    prisma.crmRun.updateMany({ where: { workspaceId: stage.id }, data: { state: "cancelled" } }),
  );
  return crm(stage);
}

/** A run that is over. */
async function crmRun(stage: Stage): Promise<Input> {
  const id = newId();
  const how = { provider: "hubspot", portal: "", kind: "dry_run", cause: "manual", everyone: true };
  const data = { ...how, workspaceId: stage.id, id, state: "done" as const, total: 0, createdBy: "test" };
  await withWorkspace(stage.id, ({ prisma }) => prisma.crmRun.create({ data, select: { id: true } }));
  return { id };
}

/** Contacts without an address, so that the provider is not asked. */
async function backfillInput(stage: Stage): Promise<Input> {
  await bookingProvider(stage);
  return { contact_ids: [await company(stage)] };
}

/**
 * Waits until the worker has done something. Where jobs are made to fail, they wait long for their next try: then this input
 * cannot be made, which is no fault of the app.
 */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const since = performance.now(); !(await isDone()); await sleep(20))
    if (performance.now() - since > 30_000) throw new Fault("not_ready");
}

/** A backfill that is done. */
async function backfill(stage: Stage): Promise<Input> {
  const started = (await stage.run("startBackfill", await backfillInput(stage))).backfill as { id: string };
  await until(async () => {
    const { backfills } = (await stage.run("listBackfills", {})) as { backfills: { id: string; state: string }[] };
    return backfills.find(({ id }) => id === started.id)?.state === "done";
  });
  return { id: started.id };
}

/** An export that is done. */
async function exported(stage: Stage): Promise<Input> {
  const { id } = (await stage.run("createExport", { what: "companies" })).export as { id: string };
  await until(async () => ((await stage.run("getExport", { id })).export as { state: string }).state === "done");
  return { id };
}

/** A bulk action that is done. */
async function bulkAction(stage: Stage): Promise<Input> {
  const { id } = (await stage.run("createBulkAction", { what: "companies", filters: {}, action: "restore" }))
    .bulk_action as { id: string };
  await bulkActionsDone(stage);
  return { id };
}

const bulkActionsDone = (stage: Stage): Promise<void> =>
  until(async () => {
    const { bulk_actions } = (await stage.run("listBulkActions", {})) as { bulk_actions: { state: string }[] };
    return bulk_actions.every(({ state }) => !["queued", "running", "undoing"].includes(state));
  });

/** A job that waits for tomorrow. */
async function job(stage: Stage): Promise<Input> {
  const tomorrow = new Date(Date.now() + 86_400_000);
  await withWorkspace(stage.id, (db) => enqueue(db, registering, { connection_id: newId() }, tomorrow));
  const { jobs } = await stage.run("listJobs", {});
  const waiting = (jobs as { id: string; kind: string; state: string }[]).find(
    ({ kind, state }) => kind === registering.name && state === "scheduled",
  );
  return { job: waiting?.id };
}

/** A change that waits. */
async function waiting(stage: Stage): Promise<Input> {
  const operation = operations.find(({ contract }) => contract.name === "saveFact");
  const asker: Caller = { ...stage.caller, role: null, approval: "writes" };
  const answer = await operation?.call(asker, { section: "ICP", content: "Series B fintechs" });
  if (!answer || !("waiting" in answer)) throw new Error("the change does not wait");
  return { id: answer.waiting.approval_id };
}

/** A change that the newest key of the workspace asked for, which may read it. */
async function waitingOfReader(stage: Stage): Promise<Input> {
  const given = await waiting(stage);
  const where = { workspaceId: stage.id };
  await withWorkspace(stage.id, async ({ prisma }) => {
    const [key] = await prisma.apiKey.findMany({
      where,
      orderBy: { createdAt: "desc" },
      take: 1,
      select: { id: true },
    });
    if (key) await prisma.approval.updateMany({ where, data: { askerId: key.id } });
  });
  return given;
}

/** What a key may always set. */
async function approvalRule(stage: Stage): Promise<Input> {
  const id = newId();
  const of = { workspaceId: stage.id, askerId: stage.caller.actor.id, createdBy: newId() };
  await withWorkspace(stage.id, ({ prisma }) =>
    prisma.approvalRule.create({ data: { ...of, id, property: `rule_${id.slice(-12)}` }, select: { id: true } }),
  );
  return { id };
}

/** A file that waits to be imported. Those before it are discarded: a workspace keeps few of them. */
async function file(stage: Stage): Promise<Input> {
  const { imports } = (await stage.run("listImports", {})) as { imports: { id: string; state: string }[] };
  for (const { id, state } of imports) if (state === "ready") await stage.run("cancelImport", { id });
  const { import: made } = await stage.run("createImport", { content: `Email\n${newId()}@acme.com\n` });
  return { id: (made as { id: string }).id };
}

/** No import is under way. */
const importsDone = (stage: Stage): Promise<void> =>
  until(async () => {
    const { imports } = (await stage.run("listImports", {})) as { imports: { state: string }[] };
    return imports.every(({ state }) => !["checking", "running", "undoing"].includes(state));
  });

/** An import that is done. */
async function imported(stage: Stage): Promise<Input> {
  const input = await file(stage);
  await stage.run("runImport", input);
  await importsDone(stage);
  return input;
}

/** Operations whose example alone does not succeed in an empty workspace. */
const leadList = async (stage: Stage): Promise<string> =>
  ((await stage.run("createLeadList", { name: "Fintech CFOs" })).lead_list as { id: string }).id;

const task = async (stage: Stage): Promise<string> =>
  ((await stage.run("createTask", { title: "Call Anna" })).task as { id: string }).id;

const newLead = async (stage: Stage): Promise<{ id: string; entity_id: string }> => {
  const made = await stage.run("createLead", { list_id: await leadList(stage), email: `${newId()}@acme.com` });
  return made.lead as { id: string; entity_id: string };
};

const lead = async (stage: Stage): Promise<string> => (await newLead(stage)).id;
const leadsPerson = async (stage: Stage): Promise<string> => (await newLead(stage)).entity_id;

/** The company of someone. */
async function annasCompany(stage: Stage): Promise<string> {
  await stage.anna();
  return ((await stage.run("getCompany", { focus: "acme.com" })).company as { id: string }).id;
}

/** What of the caller's mailboxes is there, made for each call. */
const mail = async () => import("../mail.fixture.ts"); // available only in a test

/** A mailbox of the stage's person, that holds nothing; its server is the stand-in. */
async function mailbox(stage: Stage): Promise<string> {
  const { userId, email } = await stage.me();
  const [{ addMailbox }, { address, user, password, server }] = [await mail(), await mailLogin()];
  const settings = { address, login: user, ...server };
  return (await addMailbox({ workspaceId: stage.id, userId, email }, settings, password)).id;
}
const ofMailbox = { input: async (stage: Stage) => ({ id: await mailbox(stage) }) };

/** A message that the caller sees. */
async function message(stage: Stage): Promise<string> {
  const where = { thread: await thread(stage, "mine") };
  return withWorkspace(stage.id, async ({ prisma }) => {
    const { id } = await prisma.message.findFirstOrThrow({ where, select: { id: true } });
    return id;
  });
}

/** A conversation of theirs, or of somebody else who shares all of it. */
async function thread(stage: Stage, whose: "mine" | "shared"): Promise<string> {
  const { userId, email } = await (whose === "mine" ? stage.me() : stage.person("member"));
  const { addMailbox, mailOf } = await mail();
  const address = `${newId()}@people.example`;
  const box = await addMailbox({ workspaceId: stage.id, userId, email }, { address, share: "everything" });
  const key = `${newId()}@people.example`;
  await box.receive([mailOf({ From: address, To: `${newId()}@acme.com`, Subject: "Pilot", "Message-ID": `<${key}>` })]);
  return withWorkspace(stage.id, async ({ prisma }) => {
    const { thread: id } = await prisma.message.findFirstOrThrow({ where: { key }, select: { thread: true } });
    return id;
  });
}

/** A login that the stand-in of a mail server accepts, each time for another address. */
async function mailLogin() {
  const { standingImapServer, LOGIN } = await import("../imap.fixture.ts"); // available only in a test
  const { address: server } = await standingImapServer();
  return { address: `${newId()}@people.example`, user: LOGIN.user, password: LOGIN.password, server };
}

/** A login that the stand-in of a calendar server accepts, each time for another address. */
async function calendarLogin() {
  const { standingCalDavServer, CALENDAR_LOGIN } = await import("../caldav-server.fixture.ts"); // available only in a test
  const { url } = await standingCalDavServer();
  return { server: `${url}/?${newId()}`, ...CALENDAR_LOGIN };
}

/** A calendar of the stage's person, that holds nothing; its server is the stand-in. */
async function calendar(stage: Stage): Promise<string> {
  const { userId, email } = await stage.me();
  const { addCalendar } = await import("../calendar.fixture.ts"); // available only in a test
  const { server, user, password } = await calendarLogin();
  return (await addCalendar({ workspaceId: stage.id, userId, email }, { server, login: user }, password)).id;
}
/** A meeting of theirs, which they share. */
async function meeting(stage: Stage): Promise<string> {
  const { userId, email } = await stage.me();
  const { addCalendar, calendarOf, eventOf, guestOf, inDays } = await import("../calendar.fixture.ts"); // available only in a test
  const uid = `${newId()}@people.example`;
  const { put } = await addCalendar({ workspaceId: stage.id, userId, email }, { login: `${newId()}@people.example` });
  const guest = guestOf(`${newId()}@acme.com`);
  await put(uid, calendarOf(eventOf(uid, inDays(3), `ORGANIZER:mailto:${email}`, guest, "SUMMARY:Pilot")));
  return withWorkspace(stage.id, async ({ prisma }) => {
    const { id } = await prisma.meeting.findFirstOrThrow({ where: { uid }, select: { id: true } });
    return id;
  });
}

const ofCalendar = { input: async (stage: Stage) => ({ id: await calendar(stage) }) };

const scenarios: Readonly<Record<string, Scenario>> = {
  getMeeting: { input: async (stage) => ({ id: await meeting(stage) }) },
  shareMeeting: { input: async (stage) => ({ id: await meeting(stage), share: "subject" }) },
  testCalendar: { input: calendarLogin },
  connectCalendar: { input: calendarLogin },
  updateCalendar: { input: async (stage) => ({ id: await calendar(stage), share: "subject" }) },
  syncCalendar: ofCalendar,
  listServerCalendars: ofCalendar,
  disconnectCalendar: { input: async (stage) => ({ id: await calendar(stage), meetings: "keep" }) },
  testMailbox: { input: mailLogin },
  connectMailbox: { input: mailLogin },
  updateMailbox: { input: async (stage) => ({ id: await mailbox(stage), share: "subject" }) },
  syncMailbox: ofMailbox,
  renewLogAddress: { input: withLogMailbox },
  disconnectMailbox: { input: async (stage) => ({ id: await mailbox(stage), messages: "keep" }) },
  getMailReport: ofMailbox,
  listMailFolders: ofMailbox,
  getThread: { input: async (stage) => ({ id: await thread(stage, "shared") }) },
  listMessages: { ids: { ids: message }, filters: ["ids"] },
  previewThread: { input: async (stage) => ({ id: await thread(stage, "mine") }) },
  previewMailbox: ofMailbox,
  shareThread: { input: async (stage) => ({ id: await thread(stage, "mine"), share: "subject" }) },
  getMailShare: { input: async (stage) => ({ entity_id: await person(stage) }) },
  shareMailOf: { input: async (stage) => ({ entity_id: await person(stage), share: "nothing" }) },
  saveFact: { ids: { supersedes: factId } },
  buildScoringModel: {
    async input(stage) {
      await fact(stage);
      return { force: true };
    },
  },
  draftScoringModel: {
    async input(stage) {
      await fact(stage);
      return {};
    },
  },
  saveNote: { ids: { supersedes: annasNote } },
  editEntry: {
    async input(stage) {
      const { id, content } = await fact(stage);
      return { id, content: "Series B fintechs", seen: content };
    },
  },
  retireEntry: { input: async (stage) => ({ id: await factId(stage) }) },
  confirmEntry: { input: async (stage) => ({ id: await factId(stage) }) },
  restoreEntry: {
    async input(stage) {
      const { id, content } = await fact(stage);
      return { id, content };
    },
  },
  getApproval: { input: waitingOfReader },
  getApprovalChanges: { input: waiting },
  approveChange: { input: waiting },
  rejectChange: { input: waiting },
  removeApprovalRule: { input: approvalRule },
  changeApiKey: { input: async (stage) => ({ id: (await apiKey(stage)).id, approval: "writes" }) },
  rotateApiKey: { input: async (stage) => ({ id: (await apiKey(stage)).id }) },
  hideAttention: { input: async (stage) => ({ items: [{ id: newId(), entity_id: await person(stage) }] }) },
  getKeyUsage: { input: async (stage) => ({ id: (await apiKey(stage)).id }) },
  revokeApiKey: {
    async input(stage) {
      const { id, name } = await apiKey(stage);
      return { id, confirm: name };
    },
  },
  changeConnectedClient: { input: async (stage) => ({ id: await connectedClient(stage), approval: "writes" }) },
  revokeConnectedClient: { input: async (stage) => ({ id: await connectedClient(stage) }) },
  changeRole: { input: async (stage) => ({ id: await memberId(stage), role: "admin" }) },
  addDirectoryGroup: { input: () => ({ name: `Group ${newId()}`, role: "member" }) },
  removeDirectoryGroup: { input: async (stage) => ({ id: await directoryGroup(stage, true) }) },
  setGroupRole: { input: async (stage) => ({ id: await directoryGroup(stage), role: "viewer" }) },
  previewRemoval: { input: async (stage) => ({ id: await memberId(stage) }) },
  removeMember: { input: async (stage) => ({ id: await memberId(stage) }) },
  revokeInvitation: {
    async input(stage) {
      const { invitation } = await stage.run("invite", { role: "member" });
      return { id: (invitation as { id: string }).id };
    },
  },
  getNote: { input: async (stage) => ({ id: await note(stage) }) },
  getHistory: { ids: { focus: titled } },
  getConfidence: { input: async (stage) => ({ id: await titled(stage), property: "job_title" }) },
  withdrawValue: {
    async input(stage) {
      const id = await titled(stage);
      const said = { kind: "state", property: "job_title", value: "CRO", method: "asserted" };
      const record = operations.find(({ contract }) => contract.name === "recordObservations");
      const person: Caller = { ...stage.caller, actor: { type: "user", id: (await stage.me()).userId } };
      const answer = await record?.execute(person, { focus: id, observations: [said] });
      return { id, observation_id: (answer as { observation_ids: string[] }).observation_ids[0] };
    },
  },
  getCompanyStages: { input: async (stage) => ({ id: await company(stage) }) },
  browseActivities: { ids: { entity_id: person } },
  getCompany: { ids: { focus: company } },
  verifyClaim: { ids: { focus: titled } },
  erasePerson: { input: async (stage) => ({ focus: await person(stage) }) },
  addIdentifier: {
    input: async (stage) => ({ focus: await person(stage), kind: "email", value: `${newId()}@acme.com` }),
  },
  removeIdentifier: {
    async input(stage) {
      const [focus, named] = [await person(stage), { kind: "email", value: `${newId()}@acme.com` }];
      await stage.run("addIdentifier", { focus, ...named });
      return { focus, ...named };
    },
  },
  mergeAccounts: { input: async (stage) => ({ keep: await person(stage), drop: await person(stage) }) },
  unmergeAccounts: {
    async input(stage) {
      const { merge_id } = await stage.run("mergeAccounts", { keep: await person(stage), drop: await person(stage) });
      return { merge_id };
    },
  },
  getInboundDelivery: { input: async (stage) => ({ id: await delivery(stage) }) },
  replayInboundDelivery: { input: async (stage) => ({ id: await delivery(stage) }) },
  sendTestDelivery: {
    async input(stage) {
      await delivery(stage);
      return { provider: "fathom" };
    },
    neverReplayed: "its delivery comes in through the front, in transactions of its own",
  },
  listPeople: {
    ids: { company_id: annasCompany, list_id: leadList },
    with: { company_id: { pipeline_stage: undefined, properties: undefined } },
    filters: ["company_id"],
  },
  getNames: { ids: { ids: annasCompany }, filters: ["ids"] },
  getTrends: { ids: { ids: annasCompany }, filters: ["ids"] },
  createBulkAction: {
    ids: { list_id: leadList },
    with: { list_id: { what: "people", filters: {}, action: "add_to_list", pipeline_stage: undefined } },
  },
  getLeadList: { input: async (stage) => ({ id: await leadList(stage) }) },
  changeLeadList: { input: async (stage) => ({ id: await leadList(stage), name: "Fintech CFOs" }) },
  deleteLeadList: { input: async (stage) => ({ id: await leadList(stage) }) },
  listLeads: {
    ids: { list_id: leadList, entity_id: leadsPerson },
    with: { entity_id: { status: undefined } },
    filters: ["entity_id"],
  },
  createTask: { input: async (stage) => ({ title: "Call Anna", focus: await person(stage), due: "2026-06-05" }) },
  getTask: { input: async (stage) => ({ id: await task(stage) }) },
  updateTask: { input: async (stage) => ({ id: await task(stage), done: true }) },
  deleteTask: { input: async (stage) => ({ id: await task(stage) }) },
  getLead: { input: async (stage) => ({ id: await lead(stage) }) },
  createLead: {
    input: async (stage) => ({
      list_id: await leadList(stage),
      entity_id: await person(stage),
      fields: { title: "CFO" },
    }),
  },
  createLeads: {
    input: async (stage) => ({ list_id: await leadList(stage), leads: [{ email: `${newId()}@acme.com` }] }),
  },
  changeLead: { input: async (stage) => ({ id: await lead(stage), status: "replied", reply_outcome: "interested" }) },
  changeLeads: { input: async (stage) => ({ lead_ids: [await lead(stage)], status: "sent" }), filters: ["lead_ids"] },
  deleteLead: { input: async (stage) => ({ id: await lead(stage) }) },
  deleteLeads: { input: async (stage) => ({ lead_ids: [await lead(stage)] }), filters: ["lead_ids"] },
  getTrigger: ofTrigger,
  getTriggerDays: ofTrigger,
  changeTrigger: { input: async (stage) => ({ id: await trigger(stage), name: "Slack" }) },
  deleteTrigger: ofTrigger,
  resumeTrigger: ofTrigger,
  rotateTriggerSecret: ofTrigger,
  testTrigger: { ...ofTrigger, neverReplayed: "it asks the target outside of a transaction" },
  listTriggerDeliveries: ofTrigger,
  replayTriggerDeliveries: ofTrigger,
  getTriggerDelivery: triggerDelivery,
  replayTriggerDelivery: triggerDelivery,
  skipTriggerDelivery: triggerDelivery,
  // A new person each time: with only one, evidence would pile up and each request would take longer.
  upsertPerson: { input: () => ({ email: `${newId()}@acme.com`, first_name: "Anna", region: "DACH" }) },
  upsertCompany: { input: () => ({ domain: `${newId()}.com`, name: "Acme" }) },
  patchPerson: { input: async (stage) => ({ focus: await person(stage), job_title: "CEO" }) },
  getBulkAction: { input: bulkAction },
  cancelBulkAction: { input: bulkAction },
  undoBulkAction: { input: bulkAction },
  getExport: { input: exported },
  cancelExport: { input: exported },
  deleteExport: { input: exported },
  startBackfill: { input: backfillInput },
  listBackfillContacts: { input: backfill },
  cancelBackfill: { input: backfill },
  resumeBackfill: { input: backfill },
  configureCrmSync: { input: crm },
  syncCrmNow: { input: async (stage) => ({ ...(await idleCrm(stage)), dry_run: true }) },
  getCrmRun: { input: crmRun },
  cancelCrmRun: { input: crmRun },
  disconnectIntegration: { input: connectedTo },
  registerAgain: { input: connectedTo },
  checkIntegration: { input: connectedTo, neverReplayed: "it asks the provider outside of any transaction" },
  retryJob: { input: job },
  createImport: {
    async input(stage) {
      await file(stage);
      return { content: "Email,First Name\nanna@acme.com,Anna\n" };
    },
    neverReplayed: "a file is read as it arrives, in transactions of its own",
  },
  getImport: { input: file },
  listImportRows: { input: file },
  patchImport: {
    input: async (stage) => ({ ...(await file(stage)), policy: "overwrite" }),
    ids: { list_id: leadList },
  },
  previewImport: { input: file },
  runImport: { input: file },
  cancelImport: { input: file },
  undoImport: { input: imported },
  patchCompany: { input: async (stage) => ({ focus: await company(stage), industry: "Payments" }) },
  // There is something to read, so that no value of `wait` waits.
  listChanges: {
    async input(stage) {
      await stage.anna();
      await settled(stage.id);
      return {};
    },
  },
  saveView: {
    input: () => ({ list: "people", name: `Clients ${newId()}`, place: "pipeline_stage=client", shared: true }),
  },
  changeView: { input: async (stage) => ({ id: await view(stage), name: `Clients ${newId()}` }) },
  deleteView: { input: async (stage) => ({ id: await view(stage) }) },
  correctActivity: { input: async (stage) => ({ id: await activity(stage), description: "Call with Ben too" }) },
  removeActivity: { input: async (stage) => ({ id: await activity(stage) }) },
  restoreActivity: {
    async input(stage) {
      const id = await activity(stage);
      await stage.run("removeActivity", { id });
      return { id };
    },
  },
  capture: { input: async (stage) => ({ contact_id: await person(stage), type: "call" }) },
  // Loading 200 people takes time: when one of them is already there, the operation finds its work done.
  loadSampleData: {
    async input(stage) {
      await stage.entity("person", "sample");
      return {};
    },
  },
  deleteWorkspace: {
    input: () => ({ confirm: "Test" }),
    neverReplayed: "what was stored is deleted with the workspace",
  },
};

export const scenarioOf = (name: string): Scenario => scenarios[name] ?? {};

/** An input of the operation that succeeds in this workspace. The Anna of the examples, and her company, are there when one names them. */
export async function inputOf(name: string, stage: Stage): Promise<Input> {
  const prepared = await scenarios[name]?.input?.(stage);
  if (prepared) return prepared;
  const example = operations.find(({ contract }) => contract.name === name)?.contract.example.input as Input;
  if (JSON.stringify(example).includes("acme.com")) await stage.anna();
  return example;
}

/** Names in the table above that the registry does not have. */
export const strayScenarios = (): string[] =>
  Object.keys(scenarios).filter((name) => !operations.some(({ contract }) => contract.name === name));
