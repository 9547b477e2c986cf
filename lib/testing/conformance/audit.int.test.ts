/** Each kind of entry of the audit log, made once in the way that the app makes it: who did what to what, by which key, from where. */
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { operatorOf } from "#lib/auth/operator.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { approveDeviceLogin, startDeviceLogin } from "#lib/domain/access/device-logins/service.ts";
import {
  addGroup,
  addUser,
  groupsAtSignIn,
  removeUser,
  replaceGroup,
  replaceUser,
} from "#lib/domain/access/directory/service.ts";
import { acceptInvitation, leaveWorkspace } from "#lib/domain/access/members/service.ts";
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from "#lib/domain/access/passkeys/service.ts";
import {
  beginSecondFactor,
  confirmIdentity,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from "#lib/domain/access/second-factor/service.ts";
import type { SignedIn } from "#lib/domain/implement-user.ts";
import { type EndedAttempt, runRound } from "#lib/domain/integrations/triggers/service/rounds.ts";
import type { AuditEntry } from "#lib/domain/records/audit/contract.ts";
import { sealNext } from "#lib/domain/records/audit/service/seal.ts";
import { trimLog } from "#lib/domain/records/audit/service/trim.ts";
import { listAudit, notingSignIns } from "#lib/domain/records/audit/service.ts";
import { type AuditAction, auditActions } from "#lib/domain/records/audit/words.ts";
import { openExportFile } from "#lib/domain/workspace/exports/service.ts";
import { openPersonExport, openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { restoreWorkspace } from "#lib/domain/workspace/restore/service.ts";
import { changePassword, disableUser, enableUser, revokeSession, signUp } from "#lib/domain/workspace/users/service.ts";
import { createWorkspace, setPlan } from "#lib/domain/workspace/workspaces/service.ts";
import { operations } from "#lib/registry.ts";
import { signedInBrowser } from "../browser.fixture.ts";
import { bootWith, database, inspect } from "../database.ts";
import { oauthClient } from "../oauth.fixture.ts";
import { authBrowser } from "../oidc.fixture.ts";
import { softwarePasskey } from "../passkey.fixture.ts";
import { useServer } from "../server.fixture.ts";
import { sessionOf, signedIn, stranger } from "../visitor.fixture.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";

const server = useServer();
const HERE = "http://localhost:4321";
const FROM = { ip: "198.51.100.7", client: "n8n/1.0" };
const password = "correct horse battery";

/** Who does it, and the request in which they do. */
type By = { key: Caller; member: Caller; visitor: SignedIn; requestId: string };
type Answer = Record<string, { id: string } | undefined>;
/** What the entry must say; what is left out is the request's. */
type Expectation = Partial<Pick<AuditEntry, "client" | "request_id" | "ip" | "detail">> & {
  actor?: { type: string; id: unknown };
  subject: unknown;
  /** the workspace whose log has it, where it is not the stage's */
  workspace?: string;
};
type Way = (stage: Stage, by: By) => Promise<Expectation>;

const operationNamed = (name: string) => {
  const operation = operations.find(({ contract }) => contract.name === name);
  if (!operation) throw new Error(`the registry has no operation ${name}`);
  return operation;
};

type Call = {
  /** beside what the conformance tests send it */
  input?(stage: Stage, by: By, usual: Record<string, unknown>): Promise<object> | object;
  /** default: the id of the input */
  subject?(output: Answer, input: Record<string, unknown>, stage: Stage): unknown;
  detail?: Record<string, unknown>;
};

/** One call of an operation: a public one by a key, one of the app by a member. */
const by =
  (name: string, { input = () => ({}), subject, detail }: Call = {}): Way =>
  async (stage, who) => {
    const { contract, execute } = operationNamed(name);
    const usual = await inputOf(name, stage);
    const sent = { ...usual, ...(await input(stage, who, usual)) };
    const caller = contract.surface === "public" ? who.key : who.member;
    const output = (await execute(caller, sent)) as Answer;
    const expected = subject ? await subject(output, sent, stage) : sent.id;
    return { subject: expected, actor: caller.actor, ...(detail ? { detail } : {}) };
  };

/** What a job does later for who asked for it: no request asks any more. */
const later =
  (way: Way, isDone: (stage: Stage, subject: string) => Promise<boolean>): Way =>
  async (stage, who) => {
    const expected = await way(stage, who);
    await expect.poll(() => isDone(stage, expected.subject as string)).toBe(true);
    return { ...expected, client: null, ip: null, request_id: expect.any(String) as never };
  };

const of = (noun: string) => (output: Answer) => output[noun]?.id;
const none = () => null;
const theWorkspace = (_: Answer, __: object, stage: Stage) => stage.id;
const inDb = <T>(stage: Pick<Stage, "id">, work: (db: Db) => Promise<T>) => withWorkspace(stage.id, work);

let people = 0;
/** Someone who signed up, alone in a workspace of their own. */
async function somebody(requestId: string) {
  const email = `someone${++people}@acme.example`;
  const made = await signUp.execute(stranger(`203.0.113.${people}`), { email, password, workspace_name: "Own" });
  const me: SignedIn = { ...(await signedIn(made.user_id, FROM.ip)), ...FROM, requestId, origin: HERE };
  const expected: Expectation = {
    subject: made.user_id,
    actor: { type: "user", id: made.user_id },
    workspace: made.workspace_id,
  };
  return { email, me, expected, userId: made.user_id };
}

/** What someone does about how they sign in. */
const own =
  (work: (person: Awaited<ReturnType<typeof somebody>>) => Promise<Partial<Expectation>>): Way =>
  async (_, { requestId }) => {
    const person = await somebody(requestId);
    const more = await work(person);
    return { ...person.expected, ...more };
  };

const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** The session as it is once something of it has changed. */
const again = async (me: SignedIn): Promise<SignedIn> => ({
  ...me,
  session: await sessionOf(me.session.id, me.session.userId),
});

async function withFactor({ me }: { me: SignedIn }): Promise<string> {
  const { secret } = await beginSecondFactor.execute(me, {});
  await confirmSecondFactor.execute(me, { code: codeOf(secret) });
  return secret;
}

async function withPasskey({ me }: { me: SignedIn }): Promise<string> {
  const { options } = await beginPasskey.execute(me, {});
  const passkey = softwarePasskey(HERE).create(options as never);
  return (await addPasskey.execute(me, { name: "MacBook", passkey })).passkey.id;
}

/** A sign-in through next-auth, and a sign-out. */
async function enter({ email, me }: { email: string; me: SignedIn }, tried = password) {
  const { requestId, ip } = me;
  const browser = authBrowser(HERE, new Map(), notingSignIns({ requestId, ip }));
  const { csrfToken } = (await browser.get("/api/auth/csrf")).body as { csrfToken: string };
  await browser.post("/api/auth/callback/credentials", { email, password: tried, csrfToken });
  const leave = () => browser.post("/api/auth/signout", { csrfToken, json: "true" });
  return { leave };
}

const ofOperator = { actor: { type: "cli", id: "root" }, client: "rapport-cli", ip: null } as const;
const anyRequest = { request_id: expect.any(String) as never };

/** A directory that sends what it says by a key. */
const directory = (stage: Stage, { key }: By) => ({
  expected: { actor: key.actor },
  add: (active = true) =>
    inDb(stage, (db) => {
      const userName = `${newId()}@people.example`;
      return addUser({ ...key, db }, { schemas: [], userName, active } as never);
    }),
  set: (id: string, active: boolean) =>
    inDb(stage, (db) =>
      replaceUser({ ...key, db }, id, ({ userName }) => ({ schemas: [], userName, active }) as never),
    ),
});

const changeOf = async (stage: Stage, id: string, field: string) =>
  inspect(`UPDATE workspaces SET ${field} = $2 WHERE id = $1`, [stage.id, id]);

const isOver = (operation: string, noun: string, state: string) => async (stage: Stage, id: string) =>
  ((await stage.run(operation, { id }))[noun] as unknown as { state: string }).state === state;

const imported = async (stage: Stage): Promise<string> => (await inputOf("undoImport", stage)).id as string;

/** A value that a key may not set while a person's word stands there. */
async function keptBack(stage: Stage, { member }: By) {
  const email = `${newId()}@acme.com`;
  await operationNamed("upsertPerson").execute(member, { email, job_title: "CTO" });
  const asker: Caller = { ...stage.caller, role: null, approval: "human_fields" };
  const answer = await operationNamed("patchPerson").execute(asker, { focus: email, job_title: "CEO" });
  const [claim] = (answer as { claims: { approval_id: string }[] }).claims;
  return { id: claim?.approval_id, asker: asker.actor.id };
}

async function ownTrigger(stage: Stage): Promise<string> {
  return (await inputOf("resumeTrigger", stage)).id as string;
}

/** The file that proves it, with a database of its own that is backed up. */
const backups = "lib/cli/rapport.int.test.ts";

const made: Readonly<Record<AuditAction, Way | string>> = {
  "api_key.minted": by("mintApiKey", { subject: of("key") }),
  "api_key.limited": by("changeApiKey", { input: () => ({ approval: undefined, kinds: ["people"] }) }),
  "api_key.changed": by("changeApiKey"),
  "api_key.rotated": by("rotateApiKey"),
  "api_key.revoked": by("revokeApiKey"),
  "audit_log.trimmed": async () => {
    const stage = await createStage();
    for (const at of ["2020-01-01T10:00:00Z", "2020-01-02T10:00:00Z"]) {
      const data = { id: newId(), at, actor: "cli:root", action: "plan.changed", subject: stage.id };
      await inDb(stage, (db) => db.prisma.auditEntry.create({ data, select: { id: true } }));
      await expect.poll(() => sealNext(stage.id)).toBe("done");
    }
    bootWith({ SIGNUPS: "open", AUDIT_RETENTION_DAYS: "365" });
    await trimLog(stage.id);
    const detail = { entries: 1, kept_from: 2 };
    return {
      ...anyRequest,
      actor: { type: "job", id: "retention" },
      client: null,
      ip: null,
      subject: null,
      detail,
      workspace: stage.id,
    };
  },
  "audit_log.exported": async (_, { key }) => {
    await listAudit.also?.file?.(key, { format: "ndjson", limit: 50 } as never);
    return { subject: null, actor: key.actor };
  },
  "backfill.started": by("startBackfill", { subject: of("backfill") }),
  "backup.made": backups,
  "backup.restored": backups,
  "bulk_action.started": by("createBulkAction", { subject: of("bulk_action"), detail: { what: "people" } }),
  "bulk_action.cancelled": by("cancelBulkAction", {
    input: (_, __, { id }) => inspect("UPDATE bulk_actions SET state = 'queued' WHERE id = $1", [id]).then(() => ({})),
  }),
  "bulk_action.finished": later(
    by("createBulkAction", { subject: of("bulk_action") }),
    isOver("getBulkAction", "bulk_action", "done"),
  ),
  "bulk_action.undo_started": by("undoBulkAction"),
  "bulk_action.undone": later(by("undoBulkAction"), isOver("getBulkAction", "bulk_action", "undone")),
  "calendar.connected": by("connectCalendar", { subject: of("calendar"), detail: { share: "metadata" } }),
  "calendar.shared": by("updateCalendar", { detail: { share: "subject", before: "metadata" } }),
  "calendar.disconnected": by("disconnectCalendar"),
  "change.rule_added": async (stage, who) => {
    const { id, asker } = await keptBack(stage, who);
    await operationNamed("approveChange").execute(who.member, { id, always: true });
    return { subject: asker, actor: who.member.actor, detail: { property: "job_title" } };
  },
  "change.rule_removed": by("removeApprovalRule", { subject: (_, __, { caller }) => caller.actor.id }),
  "change.approved": by("approveChange", { detail: { operation: "saveFact" } }),
  "change.rejected": by("rejectChange", { detail: { operation: "saveFact" } }),
  "change.failed": by("approveChange", {
    async input(stage) {
      const asker: Caller = { ...stage.caller, role: null, approval: "writes" };
      const answer = await operationNamed("retireEntry").call(asker, await inputOf("retireEntry", stage));
      const waiting = (answer as { waiting: { approval_id: string } }).waiting.approval_id;
      await inspect("UPDATE approvals SET input = $2 WHERE id = $1", [waiting, JSON.stringify({ id: newId() })]);
      return { id: waiting };
    },
  }),
  "client.connected": async () => {
    const browser = await signedInBrowser(server.url());
    await oauthClient(server.url).connect(browser);
    const [grant] = await inspect<{ id: string }>("SELECT id FROM oauth_grants WHERE workspace_id = $1", [
      browser.workspaceId,
    ]);
    const actor = { type: "user", id: browser.userId };
    return { ...anyRequest, actor, client: null, ip: "127.0.0.1", subject: grant?.id, workspace: browser.workspaceId };
  },
  "client.changed": by("changeConnectedClient"),
  "client.disconnected": by("revokeConnectedClient"),
  "client.limited": by("changeConnectedClient", { input: () => ({ approval: undefined, kinds: ["people"] }) }),
  "crm_sync.configured": by("configureCrmSync", { subject: none, detail: { provider: "hubspot" } }),
  "crm_sync.started": by("syncCrmNow", { subject: of("run") }),
  "crm_sync.cancelled": by("cancelCrmRun", {
    input: (_, __, { id }) => inspect("UPDATE crm_runs SET state = 'queued' WHERE id = $1", [id]).then(() => ({})),
  }),
  "device_login.approved": async (stage, { visitor }) => {
    const { user_code } = await startDeviceLogin.execute(stranger(), { host: "ada-laptop" });
    await approveDeviceLogin.execute(visitor, { user_code, workspace_id: stage.id });
    const [login] = await inspect<{ id: string }>("SELECT id FROM device_logins WHERE approved_for = $1", [stage.id]);
    return { subject: login?.id, actor: { type: "user", id: visitor.session.userId }, detail: { host: "ada-laptop" } };
  },
  "directory_group.added": by("addDirectoryGroup", { subject: of("group") }),
  "directory_group.removed": by("removeDirectoryGroup"),
  "directory_group.members_changed": async (stage, who) => {
    const { add, expected } = directory(stage, who);
    const { id: value } = await add();
    const group = { schemas: [], displayName: newId(), members: [{ value }] };
    const { id } = await inDb(stage, (db) => addGroup({ ...who.key, db }, { ...group, members: [] } as never));
    await inDb(stage, (db) => replaceGroup({ ...who.key, db }, id, () => group as never));
    return { ...expected, subject: id, detail: { added: 1, removed: 0 } };
  },
  "directory_group.role_changed": by("setGroupRole", { detail: { to: "viewer" } }),
  "directory_user.added": async (stage, who) => {
    const { add, expected } = directory(stage, who);
    return { ...expected, subject: (await add()).id };
  },
  "directory_user.activated": async (stage, who) => {
    const { add, set, expected } = directory(stage, who);
    return { ...expected, subject: (await set((await add(false)).id, true)).id };
  },
  "directory_user.deactivated": async (stage, who) => {
    const { add, set, expected } = directory(stage, who);
    return { ...expected, subject: (await set((await add()).id, false)).id };
  },
  "directory_user.removed": async (stage, who) => {
    const { add, expected } = directory(stage, who);
    const { id } = await add();
    await inDb(stage, (db) => removeUser({ ...who.key, db }, id));
    return { ...expected, subject: id };
  },
  "export.created": by("createExport", { subject: of("export") }),
  "export.downloaded": async (stage, { member }) => {
    const { id } = await inputOf("deleteExport", stage);
    await (await openExportFile(member, id as string)).noteDownload();
    return { subject: id, actor: member.actor };
  },
  "export.deleted": by("deleteExport"),
  "import.downloaded": async (stage, { key }) => {
    const id = await imported(stage);
    await operationNamed("listImportRows").also?.file?.(key, { id, format: "csv" } as never);
    return { subject: id, actor: key.actor };
  },
  "import.started": by("runImport"),
  "import.resumed": by("runImport", {
    async input(stage) {
      const id = await imported(stage);
      await inspect("UPDATE imports SET state = 'cancelled' WHERE id = $1", [id]);
      return { id };
    },
  }),
  "import.finished": later(by("runImport"), isOver("getImport", "import", "done")),
  "import.cancelled": by("cancelImport"),
  "import.undo_started": by("undoImport"),
  "import.undone": later(by("undoImport"), isOver("getImport", "import", "undone")),
  "inbound_delivery.replayed": by("replayInboundDelivery"),
  "inbound_retention.changed": by("setInboundRetention", { subject: theWorkspace }),
  "integration.connected": by("connectIntegration", {
    input: () => ({ provider: "fathom", credentials: { signing_secret: `whsec_${"a".repeat(43)}=` }, name: undefined }),
    subject: of("connection"),
  }),
  "integration.disconnected": by("disconnectIntegration", {
    subject: () => expect.any(String),
    detail: { provider: "fathom" },
  }),
  "invitation.created": by("invite", { subject: of("invitation") }),
  "invitation.revoked": by("revokeInvitation"),
  "job.retried": by("retryJob", { subject: none }),
  "log_address.renewed": by("renewLogAddress", { subject: () => expect.any(String) }),
  "mail.read": by("getThread", { detail: { shared: expect.any(String) } }),
  "meeting.read": async (stage, { key }) => {
    const { id } = await inputOf("getMeeting", stage);
    const { viewer: _, ...other } = key;
    await stage.run("shareMeeting", { id, share: "everything" });
    await operationNamed("getMeeting").execute(other, { id });
    return { subject: id, actor: key.actor, detail: { shared: expect.any(String) } };
  },
  "mail.ceiling_set": by("setMailCeiling", { subject: theWorkspace }),
  "mailbox.connected": by("connectMailbox", { subject: of("mailbox") }),
  "mailbox.shared": by("updateMailbox", { detail: { share: "subject", before: "metadata" } }),
  "mailbox.disconnected": by("disconnectMailbox"),
  "member.groups_followed": async (stage, { requestId }) => {
    const issuer = `https://idp.example/${newId()}`;
    await inspect("UPDATE workspaces SET oidc_issuer = $2 WHERE id = $1", [stage.id, issuer]);
    const { name } = await inputOf("addDirectoryGroup", stage);
    await operationNamed("addDirectoryGroup").execute(stage.caller, { name, role: "viewer" });
    const { userId, email, expected } = await somebody(requestId);
    await groupsAtSignIn({ requestId, ip: FROM.ip }).follow(userId, { issuer, names: [name as string] });
    const detail = { email, groups: [name], role: "viewer" };
    return {
      ...expected,
      workspace: stage.id,
      actor: { type: "job", id: "sign-in" },
      client: null,
      subject: null,
      detail,
    };
  },
  "member.added": async (stage, who) => {
    const { add, expected } = directory(stage, who);
    const { userName } = await add();
    return { ...expected, subject: expect.any(String), detail: { email: userName, role: "member" } };
  },
  "member.joined": async (stage, { requestId }) => {
    const { me, email, expected } = await somebody(requestId);
    const { link } = (await stage.run("invite", { role: "member" })) as unknown as { link: string };
    await acceptInvitation.execute(me, { token: link.slice(link.lastIndexOf("/") + 1) });
    return { ...expected, subject: expect.any(String), workspace: stage.id, detail: { email, role: "member" } };
  },
  "member.left": async (stage, { requestId }) => {
    const { userId, memberId, email } = await stage.person("member");
    const me = { ...(await signedIn(userId, FROM.ip)), ...FROM, requestId };
    await leaveWorkspace.execute(me, { id: stage.id });
    return { subject: memberId, actor: { type: "user", id: userId }, detail: { email, role: "member" } };
  },
  "member.removed": by("removeMember"),
  "member.role_changed": by("changeRole", { detail: { from: "member", to: "admin" } }),
  "person.allowed": async (stage, { member }) => {
    const identifier = `${newId()}@acme.com`;
    const { person } = (await stage.run("upsertPerson", { email: identifier })) as Answer;
    await stage.run("erasePerson", { focus: person?.id });
    await operationNamed("allowAgain").execute(member, { identifier });
    return { subject: null, actor: member.actor };
  },
  "person.exported": async (stage, { key }) => {
    const id = await stage.entity("person");
    await openPersonExport(key, id);
    return { subject: id, actor: key.actor };
  },
  "person.erased": by("erasePerson", { subject: (_, { focus }) => focus }),
  "plan.changed": async () => {
    const stage = await createStage();
    await setPlan(await operatorOf(stage.id, "root"), "growth");
    const detail = { from: "scale", to: "growth" };
    return { ...ofOperator, ...anyRequest, subject: stage.id, workspace: stage.id, detail };
  },
  "record.merged": by("mergeAccounts", { subject: (_, { keep }) => keep }),
  "record.separated": by("unmergeAccounts", { subject: () => expect.any(String), detail: { type: "person" } }),
  "sample_data.loaded": by("loadSampleData", {
    input: (stage) => stage.run("removeSampleData", {}).then(() => ({})),
    subject: none,
    detail: { people: 200 },
  }),
  "sample_data.removed": by("removeSampleData", { subject: none, detail: { people: 200 } }),
  "scoring_model.saved": by("buildScoringModel", { subject: none }),
  "sign_in_demand.changed": by("setSignInDemand", {
    input: (stage) => changeOf(stage, "second_factor", "sign_in_demand").then(() => ({})),
    subject: theWorkspace,
    detail: { from: "second_factor", to: "any" },
  }),
  "sign_in_groups.changed": by("followGroups", {
    input: (stage) => changeOf(stage, "https://idp.example", "oidc_issuer").then(() => ({ provider: null })),
    subject: theWorkspace,
  }),
  "stage_rules.changed": by("saveStageRules", { subject: none }),
  "stage_rules.reset": by("resetStageRules", {
    input: async (stage) => stage.run("saveStageRules", await inputOf("saveStageRules", stage)).then(() => ({})),
    subject: none,
  }),
  "task.deleted": by("deleteTask"),
  "trigger.created": by("createTrigger", { subject: of("trigger") }),
  "trigger.changed": by("changeTrigger", { detail: { fields: ["name"] } }),
  "trigger.deleted": by("deleteTrigger"),
  "trigger.resumed": by("resumeTrigger", {
    input: (_, __, { id }) => inspect("UPDATE triggers SET status = 'disabled' WHERE id = $1", [id]).then(() => ({})),
  }),
  "trigger.secret_rotated": by("rotateTriggerSecret"),
  "trigger.disabled": async (stage) => {
    const triggerId = await ownTrigger(stage);
    const attempt = { by: "delivery", at: new Date().toISOString(), ok: false };
    const standing = { failingSince: new Date(), givenUp: 0 };
    const ended = { id: newId(), triggerId, attempt, standing, stops: "gone", problem: "It answered 410." };
    await runRound(stage.id, [ended as unknown as EndedAttempt], () => false);
    return { actor: { type: "job", id: "triggers" }, client: null, ip: null, ...anyRequest, subject: triggerId };
  },
  "trigger.replayed": by("replayTriggerDeliveries", {
    async input(stage, _, { id }) {
      await stage.run("testTrigger", { id });
      await inspect("UPDATE trigger_deliveries SET status = 'failed', is_test = false WHERE trigger_id = $1", [id]);
      return {};
    },
    detail: { replayed: 1 },
  }),
  "trigger_delivery.replayed": by("replayTriggerDelivery"),
  "trigger_delivery.skipped": by("skipTriggerDelivery", {
    input: (_, __, { id }) =>
      inspect("UPDATE trigger_deliveries SET status = 'pending', next_at = now() + interval '1 day' WHERE id = $1", [
        id,
      ]).then(() => ({})),
  }),
  "user.signed_in": own(async (person) => {
    await enter(person);
    return { client: null, detail: { email: person.email, with: "password" } };
  }),
  "user.signed_out": own(async (person) => {
    await (await enter(person)).leave();
    return { client: null };
  }),
  "user.sign_in_refused": own(async (person) => {
    await enter(person, "a wrong password");
    return { client: null, detail: { email: person.email, with: "password" } };
  }),
  "user.confirmation_refused": own(async ({ me }) => {
    await expect(confirmIdentity.execute(me, { password: "a wrong password" })).rejects.toThrow();
    return { detail: { with: "password" } };
  }),
  "user.password_changed": own(async ({ me }) => {
    await changePassword.execute(me, { current_password: password, password: "another horse battery" });
    return {};
  }),
  "user.second_factor_added": own(async (person) => {
    await withFactor(person);
    return {};
  }),
  "user.second_factor_removed": own(async (person) => {
    const secret = await withFactor(person);
    await removeSecondFactor.execute(person.me, { code: codeOf(secret, 1) });
    return {};
  }),
  "user.passkey_added": own(async (person) => {
    await withPasskey(person);
    return { detail: { email: person.email, name: "MacBook" } };
  }),
  "user.passkey_renamed": own(async (person) => {
    const id = await withPasskey(person);
    await renamePasskey.execute(person.me, { id, name: "Work laptop" });
    return { detail: { from: "MacBook", name: "Work laptop" } };
  }),
  "user.passkey_removed": own(async (person) => {
    const id = await withPasskey(person);
    await removePasskey.execute(await again(person.me), { id });
    return {};
  }),
  "user.recovery_codes_renewed": own(async (person) => {
    const secret = await withFactor(person);
    await renewRecoveryCodes.execute(person.me, { code: codeOf(secret, 1) });
    return {};
  }),
  "user.sessions_ended": own(async ({ me, userId }) => {
    await signedIn(userId);
    await revokeSession.execute(me, { id: "others" });
    return { detail: { ended_sessions: 1 } };
  }),
  "user.disabled": own(async ({ email }) => {
    await disableUser(email, "root");
    return { ...ofOperator, ...anyRequest, detail: { email } };
  }),
  "user.enabled": own(async ({ email }) => {
    await disableUser(email, "root");
    await enableUser(email, "root");
    return { ...ofOperator, ...anyRequest, detail: { email } };
  }),
  "workspace.created": async (_, { visitor, requestId }) => {
    const { workspace_id: workspace } = await createWorkspace.execute({ ...visitor, requestId }, { name: "Second" });
    return { actor: { type: "user", id: visitor.session.userId }, subject: workspace, workspace };
  },
  "workspace.changed": by("updateWorkspace", { input: () => ({ name: newId() }), subject: theWorkspace }),
  "workspace.exported": async (stage, { key }) => {
    await openWorkspaceExport(key);
    return { subject: stage.id, actor: key.actor };
  },
  "workspace.imported": async () => {
    const [stage, into] = [await createStage(), newId()];
    const file = path.join(database.dataDir, "workspace.ndjson");
    let lines = "";
    await (await openWorkspaceExport(stage.caller))(async (more) => {
      lines += more;
    });
    writeFileSync(file, lines);
    await restoreWorkspace({ path: file, into, operator: "root" });
    return { ...ofOperator, ...anyRequest, subject: into, workspace: into };
  },
};

let stage: Stage;
const nextAuthUrl = process.env.NEXTAUTH_URL;

beforeAll(async () => {
  process.env.NEXTAUTH_URL = HERE;
  bootWith({ SIGNUPS: "open" });
  stage = await createStage();
  await stage.person("owner");
});
afterAll(() => {
  if (nextAuthUrl === undefined) delete process.env.NEXTAUTH_URL;
  else process.env.NEXTAUTH_URL = nextAuthUrl;
});
beforeEach(() => bootWith({ SIGNUPS: "open" }));

/** A key and an owner who ask in a request of their own. */
async function asking(): Promise<By> {
  const [requestId, { userId }] = [newId(), await stage.me()];
  const visitor = { ...(await signedIn(userId, FROM.ip)), ...FROM, requestId };
  const member = callerFor(visitor.session, stage.id, requestId, FROM);
  if (!member) throw new Error("the owner is no member");
  const key: Caller = { ...stage.caller, ...FROM, role: null, actor: { type: "api_key", id: newId() }, requestId };
  return { key, member, visitor, requestId };
}

test.each(auditActions)("%s", async (action) => {
  const way = made[action];
  if (typeof way === "string") return expect(await readFile(path.resolve(way), "utf8")).toContain(`"${action}"`);
  const who = await asking();
  const { workspace = stage.id, actor, subject, detail = {}, ...expected } = await way(stage, who);
  await backgroundDone();
  const reader: Caller = { ...stage.caller, workspaceId: workspace as Stage["id"] };
  const { entries } = await listAudit.execute(reader, { action: [action], limit: 1 });
  expect(entries).toMatchObject([{ ...FROM, request_id: who.requestId, action, actor, subject, detail, ...expected }]);
});
