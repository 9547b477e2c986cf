import { describe, expect, test } from "vitest";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { stranger } from "#lib/testing/visitor.fixture.ts";
import { signUp } from "./service.ts";

const account = (name: string) => ({
  name,
  email: `${name}@acme.example`,
  password: "correct horse battery",
  workspace_name: `${name}'s`,
});

describe("signing up", () => {
  test("of twenty who are first at once, one gets in", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `first${n}`);
    const answers = await Promise.allSettled(
      names.map((name) => signUp.execute(stranger(`192.0.2.${name.slice(5)}`), account(name))),
    );
    const refused = answers.filter((answer) => answer.status === "rejected").map((answer) => answer.reason.code);
    expect(refused).toEqual(Array(19).fill("signups_closed"));
    const [counts] = await inspect(
      "SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM workspaces) AS workspaces, (SELECT count(*)::int FROM members) AS members, (SELECT count(*)::int FROM entities WHERE type = 'workspace') AS entities",
    );
    expect(counts).toEqual({ users: 1, workspaces: 1, members: 1, entities: 1 });
  });

  test("makes the account, its workspace with the site's URL, an owner and a line in the audit log", async () => {
    bootWith({ SIGNUPS: "open", DEFAULT_PLAN: "growth" });
    const { user_id, workspace_id } = await signUp.execute(stranger(), { ...account("ada"), website: "Acme.com/" });
    const [row] = await inspect(
      "SELECT w.website, w.plan, m.role, u.password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%' AS hashed, a.action FROM workspaces w JOIN members m ON m.workspace_id = w.id JOIN users u ON u.id = m.user_id JOIN audit_log a ON a.workspace_id = w.id WHERE w.id = $1 AND u.id = $2",
      [workspace_id, user_id],
    );
    expect(row).toEqual({
      website: "https://acme.com",
      plan: "growth",
      role: "owner",
      hashed: true,
      action: "workspace.created",
    });
  });

  test.each([
    ["a company's address", "eve@sales.northwind-traders.com", "https://northwind-traders.com"],
    ["an address at a provider", "eve.northwind@gmail.com", null],
  ])("takes the website from %s when none is given", async (_what, email, website) => {
    bootWith({ SIGNUPS: "open" });
    const { workspace_id } = await signUp.execute(stranger(), { ...account("eve"), email });
    expect(await inspect("SELECT website FROM workspaces WHERE id = $1", [workspace_id])).toEqual([{ website }]);
  });

  test.each([
    [
      "an address that has an account, in other letters",
      { ...account("ada"), email: " Ada@ACME.example " },
      "email_taken",
    ],
    ["a password of 11 characters", { ...account("bob"), password: "elevenchars" }, "password_too_short"],
    ["a password of 201 characters", { ...account("bob"), password: "x".repeat(201) }, "password_too_long"],
    ["a well-known password", { ...account("bob"), password: "Password2026!" }, "password_too_common"],
    ["a password of their own names", { ...account("bob"), password: "bob-acme-2026" }, "password_too_common"],
    ["no workspace name", { ...account("bob"), workspace_name: " " }, "name_required"],
    ["a website that is none", { ...account("bob"), website: "not a site" }, "invalid_website"],
    ["an invalid address", { ...account("bob"), email: "bob" }, "invalid_email"],
    ["an invitation nobody made", { ...account("bob"), invitation: "x" }, "invitation_not_found"],
  ])("refuses %s and leaves nothing behind", async (_what, input, code) => {
    bootWith({ SIGNUPS: "open" });
    const before = await inspect(
      "SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM workspaces) AS workspaces",
    );
    await expect(signUp.execute(stranger(), input)).rejects.toMatchObject({ code });
    expect(
      await inspect("SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM workspaces) AS workspaces"),
    ).toEqual(before);
  });

  test("one address at once from two people makes one account", async () => {
    bootWith({ SIGNUPS: "open" });
    const answers = await Promise.allSettled([1, 2, 3].map(() => signUp.execute(stranger(), account("twin"))));
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1);
    expect(answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []))).toEqual([
      "email_taken",
      "email_taken",
    ]);
  });

  test("is closed to the first person too where SIGNUPS=invite", async () => {
    bootWith({ SIGNUPS: "invite" });
    await expect(signUp.execute(stranger(), account("eve"))).rejects.toMatchObject({ code: "signups_closed" });
  });

  test("slows down a machine that tries without end", async () => {
    bootWith({ SIGNUPS: "invite" });
    const codes: string[] = [];
    for (let n = 0; n < 22; n++) {
      await signUp.execute(stranger("198.51.100.9"), account(`flood${n}`)).catch((error) => codes.push(error.code));
    }
    expect(codes.slice(0, 20)).toEqual(Array(20).fill("signups_closed"));
    expect(codes.slice(20)).toEqual(["rate_limited", "rate_limited"]);
  });
});
