import { beforeAll, describe, expect, test } from "vitest";
import { callerFor } from "#lib/auth/sessions.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { sql } from "#lib/db/statement.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { findMembers } from "./queries.ts";
import {
  acceptInvitation,
  changeRole,
  invite,
  listInvitations,
  listMembers,
  readInvitation,
  removeMember,
  revokeInvitation,
} from "./service.ts";

let count = 0;

/** A person with a workspace of their own, signed in. */
async function founder() {
  const email = `person${++count}@acme.example`;
  const { user_id, workspace_id } = await signUp.execute(stranger(`203.0.113.${count}`), {
    email,
    password: "correct horse battery",
    workspace_name: `W${count}`,
  });
  const visitor = await signedIn(user_id);
  return {
    userId: user_id,
    email,
    visitor,
    workspaceId: workspace_id,
    caller: callerFor(visitor.session, workspace_id, newId()) as Caller,
  };
}

type Founder = Awaited<ReturnType<typeof founder>>;

/** Another person in the founder's workspace. */
async function joined(owner: Founder, role: Role) {
  const person = await founder();
  const { link } = await invite.execute(owner.caller, { role });
  await acceptInvitation.execute(person.visitor, { token: tokenOf(link) });
  const session = await sessionOf(person.visitor.session.id, person.userId);
  const { members } = await listMembers.execute(owner.caller, {});
  const memberId = members.find((member) => member.user_id === person.userId)?.id as string;
  return { ...person, memberId, caller: callerFor(session, owner.workspaceId, newId()) as Caller };
}

const ownMemberId = async (owner: Founder) =>
  (await listMembers.execute(owner.caller, {})).members.find((member) => member.user_id === owner.userId)?.id as string;

const tokenOf = (link: string) => link.split("/").at(-1) as string;

beforeAll(() => bootWith({ SIGNUPS: "open" }));

describe("an invitation", () => {
  test("says what it is for, makes a member with its role, and works once, no matter how many try", async () => {
    const owner = await founder();
    const { link, invitation, mailed } = await invite.execute(owner.caller, {
      role: "admin",
      email: "Grace@acme.example",
    });
    expect([link.startsWith("/invite/"), mailed]).toEqual([true, false]);
    const token = tokenOf(link);
    expect(await readInvitation.execute(stranger(), { token })).toMatchObject({
      workspace_name: expect.stringMatching(/^W\d+$/),
      role: "admin",
      email: "grace@acme.example",
      invited_by: owner.email,
      has_account: false,
    });
    const people = await Promise.all([founder(), founder(), founder()]);
    const tries = await Promise.allSettled(people.map(({ visitor }) => acceptInvitation.execute(visitor, { token })));
    expect(tries.filter((each) => each.status === "fulfilled")).toHaveLength(1);
    expect(tries.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []))).toEqual([
      "invitation_not_found",
      "invitation_not_found",
    ]);
    const { members } = await listMembers.execute(owner.caller, {});
    expect(members.map(({ role }) => role)).toEqual(["owner", "admin"]);
    expect((await listInvitations.execute(owner.caller, {})).invitations.map(({ id }) => id)).not.toContain(
      invitation.id,
    );
    await expect(readInvitation.execute(stranger(), { token })).rejects.toMatchObject({ code: "invitation_not_found" });
  });

  test("lets a newcomer create an account where sign-ups are closed, both or neither", async () => {
    const owner = await founder();
    const token = tokenOf((await invite.execute(owner.caller, {})).link);
    bootWith({ SIGNUPS: "invite" });
    const account = { email: owner.email, password: "correct horse battery", invitation: token };
    await expect(signUp.execute(stranger(), account)).rejects.toMatchObject({ code: "email_taken" });
    const made = await signUp.execute(stranger(), { ...account, email: "newcomer@acme.example" });
    expect(made.workspace_id).toBe(owner.workspaceId);
    await expect(signUp.execute(stranger(), { ...account, email: "second@acme.example" })).rejects.toMatchObject({
      code: "invitation_not_found",
    });
    expect(await inspect("SELECT 1 FROM users WHERE email = 'second@acme.example'")).toEqual([]);
    bootWith({ SIGNUPS: "open" });
  });

  test("stops working when it is withdrawn, and after seven days", async () => {
    const owner = await founder();
    const [one, two] = [await invite.execute(owner.caller, {}), await invite.execute(owner.caller, {})];
    await revokeInvitation.execute(owner.caller, { id: one.invitation.id });
    await inspect("UPDATE invitations SET expires_at = now() WHERE id = $1", [two.invitation.id]);
    const { visitor } = await founder();
    for (const { link } of [one, two]) {
      await expect(acceptInvitation.execute(visitor, { token: tokenOf(link) })).rejects.toMatchObject({
        code: "invitation_not_found",
      });
    }
    await expect(revokeInvitation.execute(owner.caller, { id: one.invitation.id })).rejects.toMatchObject({
      code: "invitation_not_found",
    });
    expect((await listInvitations.execute(owner.caller, {})).invitations).toEqual([]);
  });

  test("is not used up by someone who is a member already", async () => {
    const owner = await founder();
    const { link } = await invite.execute(owner.caller, {});
    await expect(acceptInvitation.execute(owner.visitor, { token: tokenOf(link) })).rejects.toMatchObject({
      code: "already_member",
    });
    await expect(invite.execute(owner.caller, { email: owner.email })).rejects.toMatchObject({
      code: "already_member",
    });
    const { visitor } = await founder();
    expect(await acceptInvitation.execute(visitor, { token: tokenOf(link) })).toEqual({
      workspace_id: owner.workspaceId,
    });
  });

  test("stops working when who made it leaves, is removed, or may not give its role any more", async () => {
    const owner = await founder();
    const works = (link: string) =>
      readInvitation.execute(stranger(), { token: tokenOf(link) }).then(
        () => true,
        () => false,
      );
    const [leaver, removed, lowered, halved] = [
      await joined(owner, "admin"),
      await joined(owner, "admin"),
      await joined(owner, "admin"),
      await joined(owner, "owner"),
    ];
    const links = [];
    for (const { caller } of [leaver, removed, lowered, halved])
      links.push((await invite.execute(caller, { role: "admin" })).link);
    links.push((await invite.execute(halved.caller, { role: "owner" })).link);
    expect(await Promise.all(links.map(works))).toEqual([true, true, true, true, true]);

    await removeMember.execute(leaver.caller, { id: leaver.memberId });
    await removeMember.execute(owner.caller, { id: removed.memberId });
    await changeRole.execute(owner.caller, { id: lowered.memberId, role: "member" });
    await changeRole.execute(owner.caller, { id: halved.memberId, role: "admin" });
    expect(await Promise.all(links.map(works))).toEqual([false, false, false, true, false]);
    await expect(
      acceptInvitation.execute(removed.visitor, { token: tokenOf(links[1] as string) }),
    ).rejects.toMatchObject({ code: "invitation_not_found" });
    const noted = await inspect(
      "SELECT action FROM audit_log WHERE workspace_id = $1 AND action = 'invitation.revoked'",
      [owner.workspaceId],
    );
    expect(noted).toHaveLength(4);
  });

  test("is not made by someone whose removal was committed while they asked", async () => {
    const owner = await founder();
    const admin = await joined(owner, "admin");
    await removeMember.execute(owner.caller, { id: admin.memberId });
    // What they sent before: their rights were read then.
    await expect(invite.execute(admin.caller, { role: "admin" })).rejects.toMatchObject({ code: "role_required" });
    expect((await listInvitations.execute(owner.caller, {})).invitations).toEqual([]);
  });

  test("keeps only the hash of its token", async () => {
    const owner = await founder();
    const token = tokenOf((await invite.execute(owner.caller, {})).link);
    const rows = await inspect(
      "SELECT row_to_json(i)::text AS text FROM invitations i UNION ALL SELECT row_to_json(a)::text FROM audit_log a",
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("roles", () => {
  test("a viewer reads, changes nothing, and may leave", async () => {
    const owner = await founder();
    const { caller, memberId } = await joined(owner, "viewer");
    expect((await listMembers.execute(caller, {})).members).toHaveLength(2);
    for (const refused of [
      changeRole.execute(caller, { id: memberId, role: "member" }),
      invite.execute(caller, { role: "viewer" }),
    ])
      await expect(refused).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(removeMember.execute(caller, { id: await ownMemberId(owner) })).rejects.toMatchObject({
      code: "role_required",
    });
    expect((await removeMember.execute(caller, { id: memberId })).member.role).toBe("viewer");
  });

  test("only an owner makes, demotes and invites an owner", async () => {
    const owner = await founder();
    const admin = await joined(owner, "admin");
    const member = await joined(owner, "member");
    const ownerId = await ownMemberId(owner);
    await expect(invite.execute(admin.caller, { role: "owner" })).rejects.toMatchObject({ code: "role_required" });
    await expect(changeRole.execute(admin.caller, { id: member.memberId, role: "owner" })).rejects.toMatchObject({
      code: "role_required",
    });
    await expect(changeRole.execute(admin.caller, { id: admin.memberId, role: "owner" })).rejects.toMatchObject({
      code: "role_required",
    });
    await expect(changeRole.execute(admin.caller, { id: ownerId, role: "member" })).rejects.toMatchObject({
      code: "role_required",
    });
    await expect(removeMember.execute(admin.caller, { id: ownerId })).rejects.toMatchObject({ code: "role_required" });
    await expect(changeRole.execute(member.caller, { id: admin.memberId, role: "member" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    await expect(removeMember.execute(member.caller, { id: admin.memberId })).rejects.toMatchObject({
      code: "role_required",
    });
    expect(await changeRole.execute(admin.caller, { id: member.memberId, role: "admin" })).toMatchObject({
      member: { role: "admin" },
    });
    expect(await changeRole.execute(owner.caller, { id: admin.memberId, role: "owner" })).toMatchObject({
      member: { role: "owner" },
    });
  });

  test("the last owner stays", async () => {
    const owner = await founder();
    const id = await ownMemberId(owner);
    await expect(changeRole.execute(owner.caller, { id, role: "admin" })).rejects.toMatchObject({ code: "last_owner" });
    await expect(removeMember.execute(owner.caller, { id })).rejects.toMatchObject({ code: "last_owner" });
    expect(await changeRole.execute(owner.caller, { id, role: "owner" })).toMatchObject({ member: { role: "owner" } });
  });

  test("two owners who unmake each other at once leave one", async () => {
    for (let round = 0; round < 8; round++) {
      const one = await founder();
      const two = await joined(one, "owner");
      const oneId = await ownMemberId(one);
      const tries = await Promise.allSettled([
        changeRole.execute(one.caller, { id: two.memberId, role: "member" }),
        round % 2
          ? removeMember.execute(two.caller, { id: oneId })
          : changeRole.execute(two.caller, { id: oneId, role: "member" }),
      ]);
      expect(tries.map((each) => (each.status === "rejected" ? each.reason.code : "done")).sort()).toEqual([
        "done",
        "last_owner",
      ]);
      const { members } = await listMembers.execute(one.caller, {});
      expect(members.filter(({ role }) => role === "owner")).toHaveLength(1);
    }
  });
});

describe("removing", () => {
  test("ends the person's access with their next request", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    await removeMember.execute(owner.caller, { id: member.memberId });
    const session = await sessionOf(member.visitor.session.id, member.userId);
    expect(callerFor(session, owner.workspaceId, newId())).toBeNull();
    expect(callerFor(session, member.workspaceId, newId())).not.toBeNull();
  });

  test("oneself is leaving, which anyone may", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    await removeMember.execute(member.caller, { id: member.memberId });
    const rows = await inspect("SELECT action FROM audit_log WHERE workspace_id = $1 AND subject = $2 ORDER BY at", [
      owner.workspaceId,
      member.memberId,
    ]);
    expect(rows).toEqual([{ action: "member.joined" }, { action: "member.left" }]);
  });
});

describe("another workspace's", () => {
  test("members and invitations do not exist", async () => {
    const [mine, theirs] = [await founder(), await founder()];
    const theirInvitation = (await invite.execute(theirs.caller, {})).invitation.id;
    const theirMember = await ownMemberId(theirs);
    await expect(changeRole.execute(mine.caller, { id: theirMember, role: "member" })).rejects.toMatchObject({
      code: "member_not_found",
    });
    await expect(removeMember.execute(mine.caller, { id: theirMember })).rejects.toMatchObject({
      code: "member_not_found",
    });
    await expect(revokeInvitation.execute(mine.caller, { id: theirInvitation })).rejects.toMatchObject({
      code: "invitation_not_found",
    });
    expect((await listMembers.execute(mine.caller, {})).members).toHaveLength(1);
    expect((await listInvitations.execute(mine.caller, {})).invitations).toEqual([]);
    expect(callerFor(mine.visitor.session, theirs.workspaceId, newId())).toBeNull();
  });

  test("rows are hidden by the database itself", async () => {
    const [mine, theirs] = [await founder(), await founder()];
    await invite.execute(theirs.caller, {});
    const count = (table: string) => sql("", `SELECT count(*)::int AS n FROM ${table}`);
    const counts = (work: typeof withoutWorkspace) =>
      work(async (db) => {
        const rows = [];
        for (const table of ["members", "invitations", "audit_log"])
          rows.push(...(await db.query<{ n: number }>(count(table))));
        return rows.map(({ n }) => n);
      });
    expect(await counts(withoutWorkspace)).toEqual([0, 0, 0]);
    expect(await counts((work) => withWorkspace(mine.caller.workspaceId, work))).toEqual([1, 0, 1]);
    expect(await withWorkspace(mine.caller.workspaceId, findMembers)).toHaveLength(1);
    await expect(
      withWorkspace(mine.caller.workspaceId, (db) =>
        db.query(sql("", "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, $2, $3, 'owner')"), [
          theirs.workspaceId,
          newId(),
          mine.userId,
        ]),
      ),
    ).rejects.toThrow(/row-level security/);
  });
});
