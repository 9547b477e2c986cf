import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mintApiKey } from "#lib/domain/access/api-keys/service.ts";
import { encryptedColumns } from "#lib/domain/encrypted-columns.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import type { EncryptionKey } from "#lib/settings/env-values.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { keyIdOf } from "./encrypted.ts";
import { rotateColumn } from "./rotate-encryption.ts";

const key = (id: string): EncryptionKey => ({ id, key: createHash("sha256").update(id).digest() });
const keysAre = (...ids: string[]) => {
  const boot = getBoot();
  setBoot({ ...boot, secrets: { ...boot.secrets, encryptionKeys: ids.map(key) } });
};

const [bodies] = encryptedColumns;
if (!bodies) throw new Error("answers of sensitive operations are kept sealed");

const once = (name: string) => ({ key: name, fingerprint: createHash("sha256").update(name).digest() });

async function withKeptAnswers(count: number) {
  const { caller, id } = await createTestWorkspace();
  const mint = (index: number) => mintApiKey.reply(caller, { name: "Agent", scopes: ["read"] }, once(`${index}`));
  for (let index = 0; index < count; index++) await mint(index);
  const sealedWith = async () => {
    const rows = await inspect<{ body: string }>("SELECT body FROM idempotency WHERE workspace_id = $1", [id]);
    return [...new Set(rows.map(({ body }) => keyIdOf(body)))];
  };
  return { id, mint, sealedWith };
}

describe("rotation of encrypted columns", () => {
  test("seals every value again with the first key, and changes nothing the second time", async () => {
    keysAre("old");
    const kept = await withKeptAnswers(3);
    const first = await kept.mint(1);
    expect(await kept.sealedWith()).toEqual(["old"]);

    const keys = [key("new"), key("old")];
    const counts = { table: "idempotency", column: "body" };
    expect(await rotateColumn([kept.id], keys, bodies)).toEqual({
      ...counts,
      reencrypted: 3,
      current: 0,
      unreadable: 0,
    });
    expect(await rotateColumn([kept.id], keys, bodies)).toEqual({
      ...counts,
      reencrypted: 0,
      current: 3,
      unreadable: 0,
    });
    expect(await kept.sealedWith()).toEqual(["new"]);

    keysAre("new");
    const again = await kept.mint(1);
    expect(again).toEqual({ ...first, replayed: true });
    expect(again.body).toContain('"api_key":"rpt_');
  });

  test("keeps a value that none of the keys opens, and reports it", async () => {
    keysAre("lost");
    const kept = await withKeptAnswers(2);
    const counts = await rotateColumn([kept.id], [key("new")], bodies);
    expect(counts).toMatchObject({ reencrypted: 0, unreadable: 2 });
    expect(await kept.sealedWith()).toEqual(["lost"]);
  });

  test("goes through batches", async () => {
    keysAre("old");
    const kept = await withKeptAnswers(1);
    await inspect(
      "INSERT INTO idempotency (workspace_id, id, key, fingerprint, status, body, encrypted) SELECT workspace_id, gen_random_uuid(), 'copy ' || n, fingerprint, status, body, true FROM idempotency, generate_series(1, 450) n WHERE workspace_id = $1",
      [kept.id],
    );
    const copies = { ...bodies, purpose: () => bodies.purpose("0") };
    const counts = await rotateColumn([kept.id], [key("new"), key("old")], copies);
    expect(counts).toMatchObject({ reencrypted: 451, unreadable: 0 });
  });
});
