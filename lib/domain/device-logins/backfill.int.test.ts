import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { migrate } from "#lib/db/migrate.ts";
import { administer, onDatabase, roleOf } from "#lib/testing/postgres.ts";

const { adminUrl, appUrl, template } = inject("testServer");
const migration = "20261129010000_keys_of_logins";
const own = path.resolve(import.meta.dirname, "../../..");

test("keys that logins made before are known as theirs after the update, and those that replaced them", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "rapport-migrations-"));
  const name = `${template}_logins_${process.pid}`;
  await administer(adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER ${roleOf(appUrl)}`));
  try {
    const before = (await readdir(path.join(own, "prisma/migrations"))).filter((each) => each < migration);
    for (const each of before)
      await cp(path.join(own, "prisma/migrations", each), path.join(root, "prisma/migrations", each), {
        recursive: true,
      });
    const url = onDatabase(appUrl, name);
    await migrate({ url, root });
    const [workspace, user, first, second, third, minted] = [newId(), newId(), newId(), newId(), newId(), newId()];
    const keys = await administer(onDatabase(adminUrl, name), async (client) => {
      await client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [workspace]);
      for (const [id, successor] of [[third], [second, third], [first, second], [minted]])
        await client.query(
          `INSERT INTO api_keys (workspace_id, id, name, prefix, last_four, key_hash, scopes, allowed_cidrs, created_by, replaced_by)
           VALUES ($1, $2::uuid, 'k', 'rpt_abc', 'wxyz', sha256($2::uuid::text::bytea), '{read}', '{}', $3, $4)`,
          [workspace, id, `user:${user}`, successor ?? null],
        );
      for (const [id, detail] of [
        [first, { device_login: newId() }],
        [minted, { name: "k" }],
      ])
        await client.query(
          "INSERT INTO audit_log (workspace_id, id, actor, action, subject, detail) VALUES ($1, $2, $3, 'api_key.minted', $4, $5)",
          [workspace, newId(), `user:${user}`, id, detail],
        );
      await migrate({ url, root: own });
      return (await client.query("SELECT id, login_user_id AS of FROM api_keys")).rows;
    });
    expect(new Map(keys.map((key) => [key.id, key.of]))).toEqual(
      new Map([
        [first, user],
        [second, user],
        [third, user],
        [minted, null],
      ]),
    );
  } finally {
    await administer(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    await rm(root, { recursive: true });
  }
});
