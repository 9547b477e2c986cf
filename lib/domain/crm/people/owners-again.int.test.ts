import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { acrossMigration } from "#lib/testing/migrations.fixture.ts";

test("an owner kept as a value of one's own before there were owners is the record's owner after the update", async () => {
  const [workspace, anna, ben, cleo] = [newId(), newId(), newId(), newId()];
  const owners = await acrossMigration(
    "20261130010000_owners_again",
    async (client) => {
      await client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [workspace]);
      for (const [id, custom, owner] of [
        [anna, { owner: "rep@acme.com" }, ""],
        [ben, {}, "other@acme.com"],
        [cleo, { owner: 7 }, ""],
      ]) {
        await client.query("INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, 'person')", [workspace, id]);
        await client.query(
          `INSERT INTO people (workspace_id, id, source, created_at, updated_at, search, wire, custom, owner)
           VALUES ($1, $2, 'api', now(), now(), '', '{', $3, $4)`,
          [workspace, id, custom, owner],
        );
      }
    },
    async (client) => (await client.query("SELECT id, owner FROM people")).rows,
  );
  expect(new Map(owners.map(({ id, owner }) => [id, owner]))).toEqual(
    new Map([
      [anna, "rep@acme.com"],
      [ben, "other@acme.com"],
      [cleo, ""],
    ]),
  );
});
