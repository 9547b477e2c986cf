import { beforeAll, describe, expect, test } from "vitest";
import { operatorOf } from "#lib/auth/operator.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import { signInWithPassword } from "#lib/auth/sign-in.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { saveFact } from "#lib/domain/records/facts/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn } from "#lib/testing/visitor.fixture.ts";
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listMyWorkspaces,
  provisionWorkspace,
  setPlan,
  updateWorkspace,
} from "./service.ts";

beforeAll(() => bootWith({ DEFAULT_PLAN: "growth" }));

let count = 0;
const newEmail = () => `owner${++count}@acme.example`;

async function provisioned() {
  const made = await provisionWorkspace({ name: "Acme", ownerEmail: newEmail() });
  const operator = await operatorOf(made.workspaceId, "root");
  const user = await signInWithPassword({
    email: made.ownerEmail,
    password: made.ownerPassword ?? "",
    newPassword: "a password of my own",
    ip: "192.0.2.1",
  });
  const visitor = await signedIn(user?.id as string);
  return { ...made, operator, visitor, caller: callerFor(visitor.session, made.workspaceId, newId()) as Caller };
}

describe("an operator's workspace", () => {
  test("has an owner who can sign in with the password that was made up, and replaces it", async () => {
    const { caller, ownerPassword } = await provisioned();
    expect(ownerPassword).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(caller).toMatchObject({ role: "owner", plan: "growth" });
    expect(await getWorkspace.execute(caller, {})).toMatchObject({ name: "Acme", website: null, plan: "growth" });
  });

  test("is gained by an account that exists, which keeps its password", async () => {
    const { ownerEmail, visitor } = await provisioned();
    const second = await provisionWorkspace({
      name: "Second",
      ownerEmail: ` ${ownerEmail.toUpperCase()} `,
      ownerPassword: "something else altogether",
      plan: "free",
    });
    expect(second).toMatchObject({ ownerEmail, ownerPassword: null });
    const session = await sessionOf(visitor.session.id, visitor.session.userId);
    expect(session.memberships.map(({ name, role, plan }) => [name, role, plan])).toEqual([
      ["Acme", "owner", "growth"],
      ["Second", "owner", "free"],
    ]);
    expect(
      await signInWithPassword({ email: ownerEmail, password: "something else altogether", ip: "192.0.2.9" }),
    ).toBeNull();
  });

  test("of the same new owner, five times at once, makes one account", async () => {
    const ownerEmail = newEmail();
    const made = await Promise.all([1, 2, 3, 4, 5].map((n) => provisionWorkspace({ name: `W${n}`, ownerEmail })));
    expect(made.filter(({ ownerPassword }) => ownerPassword !== null)).toHaveLength(1);
    expect(await inspect("SELECT count(*)::int AS users FROM users WHERE email = $1", [ownerEmail])).toEqual([
      { users: 1 },
    ]);
  });

  test.each([
    [{ name: " ", ownerEmail: "a@acme.example" }, "name_required"],
    [{ name: "Acme", ownerEmail: "acme" }, "invalid_email"],
    [{ name: "Acme", ownerEmail: "a@acme.example", ownerPassword: "short" }, "password_too_short"],
    [{ name: "Acme", ownerEmail: "a@acme.example", ownerPassword: "AcmeRapport26" }, "password_too_common"],
  ])("refuses %o", async (plan, code) => {
    await expect(provisionWorkspace(plan)).rejects.toMatchObject({ code });
  });

  test("changes its plan for the very next request, and the log says who did it", async () => {
    const { operator, visitor, workspaceId, caller } = await provisioned();
    expect(await setPlan(operator, "scale")).toEqual({ workspaceId, plan: "scale", before: "growth" });
    const session = await sessionOf(visitor.session.id, visitor.session.userId);
    expect(callerFor(session, workspaceId, newId())?.plan).toBe("scale");
    const { entries } = await listAudit.execute(caller, { limit: 1 });
    expect(entries[0]).toMatchObject({
      action: "plan.changed",
      actor: { type: "cli", id: "root" },
      detail: { from: "growth", to: "scale" },
    });
  });
});

describe("a member's own", () => {
  test("workspaces are listed, first joined first, and a new one is owned", async () => {
    const { visitor } = await provisioned();
    const { workspace_id } = await createWorkspace.execute(visitor, { name: "Mine", website: "mine.example" });
    const again = { ...visitor, session: await sessionOf(visitor.session.id, visitor.session.userId) };
    const { workspaces } = await listMyWorkspaces.execute(again, {});
    expect(workspaces.map(({ name, role }) => [name, role])).toEqual([
      ["Acme", "owner"],
      ["Mine", "owner"],
    ]);
    expect(workspaces[1]?.workspace_id).toBe(workspace_id);
  });
});

describe("settings", () => {
  test("change the name and the website, and the log keeps what they were", async () => {
    const { caller } = await provisioned();
    expect(
      await updateWorkspace.execute(caller, { name: " Acme Inc ", website: "http://www.acme.com/about/?a=1" }),
    ).toMatchObject({
      name: "Acme Inc",
      website: "http://www.acme.com/about",
    });
    expect(await updateWorkspace.execute(caller, { website: "" })).toMatchObject({ name: "Acme Inc", website: null });
    await expect(updateWorkspace.execute(caller, { name: " " })).rejects.toMatchObject({ code: "name_required" });
    const { entries } = await listAudit.execute(caller, {});
    expect(entries.filter(({ action }) => action === "workspace.changed").map(({ detail }) => detail)).toEqual([
      { field: "website", from: "http://www.acme.com/about", to: null },
      { field: "website", from: null, to: "http://www.acme.com/about" },
      { field: "name", from: "Acme", to: "Acme Inc" },
    ]);
  });
});

describe("deleting", () => {
  test("takes the exact name, and then everything of the workspace and nothing of another", async () => {
    const [gone, kept] = [await provisioned(), await provisioned()];
    for (const { caller } of [gone, kept]) await saveFact.execute(caller, { section: "ICP", content: "Fintechs" });
    await expect(deleteWorkspace.execute(gone.caller, { confirm: "acme" })).rejects.toMatchObject({
      code: "confirmation_mismatch",
    });
    await deleteWorkspace.execute(gone.caller, { confirm: "Acme" });
    const left = await inspect<{ table: string; rows: string }>(
      `SELECT table_name AS table, (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I WHERE workspace_id = %L', table_name, $1::text), false, true, '')))[1]::text AS rows
       FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id'`,
      [gone.workspaceId],
    );
    expect(left.filter(({ rows }) => rows !== "0")).toEqual([]);
    expect(left.length).toBeGreaterThan(8);
    const session = await sessionOf(gone.visitor.session.id, gone.visitor.session.userId);
    expect(session.memberships).toEqual([]);
    expect(await inspect("SELECT count(*)::int AS n FROM claims WHERE workspace_id = $1", [kept.workspaceId])).toEqual([
      { n: 1 },
    ]);
  });
});

describe("the audit log", () => {
  test("pages backwards through everything once, while it grows", async () => {
    const { caller } = await provisioned();
    for (let n = 0; n < 7; n++) await updateWorkspace.execute(caller, { name: `Name ${n}` });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await listAudit.execute(caller, { limit: 3, ...(cursor ? { cursor } : {}) });
      if (!cursor) await updateWorkspace.execute(caller, { name: "Newer" });
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
    await expect(listAudit.execute(caller, { cursor: "abc" })).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("cannot be changed, nor emptied", async () => {
    await provisioned();
    await expect(inspect("UPDATE audit_log SET action = 'x'")).rejects.toThrow(/append-only/);
    await expect(inspect("DELETE FROM audit_log")).rejects.toThrow(/append-only/);
  });
});
