import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { acrossMigration } from "#lib/testing/migrations.fixture.ts";

test("keys that logins made before are known as theirs after the update, and those that replaced them", async () => {
  const [workspace, user, first, second, third, minted] = [newId(), newId(), newId(), newId(), newId(), newId()];
  const keys = await acrossMigration(
    "20261129010000_keys_of_logins",
    async (client) => {
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
    },
    async (client) => (await client.query("SELECT id, login_user_id AS of FROM api_keys")).rows,
  );
  expect(new Map(keys.map((key) => [key.id, key.of]))).toEqual(
    new Map([
      [first, user],
      [second, user],
      [third, user],
      [minted, null],
    ]),
  );
});
