import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/records/entities/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import * as contract from "./contract.ts";
import { findTombstones, hasTombstones, insertTombstones, removeTombstones } from "./queries.ts";
import { type Identifier, tombstoneOf } from "./rules.ts";

type TombstoneScope = Pick<Ctx, "db" | "workspaceId">;

/** Keeps a hash of each identifier of an erased person, in the transaction of the erasure. */
export async function leaveTombstones(
  { db, workspaceId }: TombstoneScope,
  erased: readonly Identifier[],
): Promise<void> {
  const [key] = getBoot().secrets.encryptionKeys;
  if (!key || erased.length === 0) return;
  await insertTombstones(
    db,
    erased.map((identifier) => ({ id: newId(), keyId: key.id, hash: tombstoneOf(key, workspaceId, identifier) })),
  );
}

/**
 * Those of the identifiers (normalised) whose person was erased: webhooks and imports must not create anyone for them.
 * Asked while the caller holds the locks of the identifiers, it also sees an erasure that was just done.
 */
export async function findErased<I extends Identifier>(
  { db, workspaceId }: TombstoneScope,
  identifiers: readonly I[],
): Promise<I[]> {
  if (identifiers.length === 0 || !(await hasTombstones(db))) return [];
  const hashes = identifiers.map((identifier) => hashesOf(workspaceId, identifier));
  const tombstones = new Set((await findTombstones(db, hashes.flat())).map(textOf));
  return identifiers.filter((_, place) => hashes[place]?.some((hash) => tombstones.has(textOf(hash))));
}

export const allowAgain = implement(contract.allowAgain, async (ctx, { identifier: text }) => {
  const identifier = identifierIn(text);
  if (!identifier) throw new Fault("invalid_identifier", { parameter: "identifier" });
  const allowed = (await removeTombstones(ctx.db, hashesOf(ctx.workspaceId, identifier))) > 0;
  if (allowed) await recordAudit(ctx, "person.allowed", null); // without the identifier, which was to be forgotten
  return { allowed };
});

function identifierIn(text: string): Identifier | null {
  const readings = { email: normaliseEmail, linkedin_url: normaliseLinkedinUrl };
  for (const [kind, read] of Object.entries(readings)) {
    const value = read(text);
    if (value !== null) return { kind, value };
  }
  return null;
}

/** By every key there is: the hash was made with the one that was first then. */
const hashesOf = (workspaceId: string, identifier: Identifier): Buffer[] =>
  getBoot().secrets.encryptionKeys.map((key) => tombstoneOf(key, workspaceId, identifier));

const textOf = (hash: Buffer): string => hash.toString("base64");
