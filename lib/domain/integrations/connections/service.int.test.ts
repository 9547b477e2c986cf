import { describe, expect, test } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { encrypt } from "#lib/db/encrypted.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { findConnection } from "./queries.ts";
import { findSigningSecret, markDelivered, ownAddresses } from "./service.ts";

const FATHOM = `whsec_${Buffer.alloc(32, "environment").toString("base64")}`;

async function connected(provider: string, signingSecret: string | null) {
  const { id: workspaceId } = await createTestWorkspace();
  const id = newId();
  const keys = getBoot().secrets.encryptionKeys;
  await withWorkspace(workspaceId, (db) =>
    db.prisma.connection.create({
      data: {
        workspaceId,
        id,
        provider,
        credentials: encrypt(keys, purposeOfCredentials(id), "{}"),
        signingSecret: signingSecret && encrypt(keys, purposeOfSigningSecret(id), signingSecret),
        isVerified: true,
        webhookStatus: "pending",
        message: "waits for the first delivery",
        ownAddresses: ["Olive@Sender.example"],
        createdBy: "user:test",
      },
    }),
  );
  return <T>(work: (ctx: { db: Db; workspaceId: WorkspaceId }) => Promise<T>) =>
    withWorkspace(workspaceId, (db) => work({ db, workspaceId }));
}

describe("the signing secret of a provider", () => {
  test("is the connection's", async () => {
    const inside = await connected("cal_com", "0123456789abcdef");
    expect(await inside((ctx) => findSigningSecret(ctx, "cal_com"))).toBe("0123456789abcdef");
    expect(await inside((ctx) => findSigningSecret(ctx, "fathom"))).toBeNull();
  });

  test("of the recorder is the installation's when the workspace has none", async () => {
    bootWith({ FATHOM_WEBHOOK_SECRET: FATHOM });
    const without = await connected("cal_com", null);
    expect(await without((ctx) => findSigningSecret(ctx, "fathom"))).toBe(FATHOM);
    expect(await without((ctx) => findSigningSecret(ctx, "cal_com"))).toBeNull();
    const own = await connected("fathom", "whsec_own");
    expect(await own((ctx) => findSigningSecret(ctx, "fathom"))).toBe("whsec_own");
    bootWith();
  });
});

describe("a verified delivery", () => {
  test("makes the webhook live, and a later one does not go back in time", async () => {
    const inside = await connected("cal_com", "x");
    const [first, second] = [new Date("2026-11-20T10:00:00Z"), new Date("2026-11-20T11:00:00Z")];
    await inside((ctx) => markDelivered(ctx, "cal_com", second));
    await inside((ctx) => markDelivered(ctx, "cal_com", first));
    expect(await inside(({ db }) => findConnection(db, "cal_com"))).toMatchObject({
      webhookStatus: "live",
      lastEventAt: second,
      message: null,
    });
  });
});

test("own addresses are in lower case", async () => {
  const inside = await connected("cal_com", null);
  expect([...(await inside((ctx) => ownAddresses(ctx, "cal_com")))]).toEqual(["olive@sender.example"]);
  expect([...(await inside((ctx) => ownAddresses(ctx, "fathom")))]).toEqual([]);
});
