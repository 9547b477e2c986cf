import type { z } from "zod";
import { sha256 } from "#lib/auth/secret-tokens.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfLogToken } from "#lib/domain/encrypted-columns.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { makeLogMailbox } from "#lib/domain/integrations/mailboxes/service.ts";
import { holdMail, memberOf } from "#lib/domain/knowledge/messages/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  changeLogAddress,
  findLogAddress,
  findRefusals,
  findUnknown,
  insertLogAddress,
  type LogAddressRow,
} from "../queries.ts";
import { addressOf, type LogMailbox, logMailboxOf, mintToken } from "../rules/address.ts";

/** So many refused mails of a member are kept. */
export const MOST_REFUSALS = 20;

/** The mailbox that the operator has set; null: none. */
export function logMailbox(): LogMailbox | null {
  const { LOG_MAILBOX_URL, LOG_MAILBOX_AUTHSERV_ID } = getBoot().env;
  return logMailboxOf(LOG_MAILBOX_URL, LOG_MAILBOX_AUTHSERV_ID);
}

const keys = () => getBoot().secrets.encryptionKeys;

export const getLogAddress = implement(contract.getLogAddress, async (ctx) => {
  const userId = memberOf(ctx);
  const mailbox = logMailbox();
  const row = mailbox && (await findLogAddress(ctx.db, userId));
  return {
    available: mailbox !== null,
    log_address: row ? await viewOf(ctx, mailbox, row) : null,
    unknown: mailbox && ctx.role !== null && roleIncludes(ctx.role, "admin") ? await unknownOf(ctx) : null,
  };
});

async function unknownOf({ db }: Ctx): Promise<z.output<typeof contract.getLogAddress.output>["unknown"]> {
  const { count, lastAt } = await findUnknown(db);
  return lastAt && { count, last_at: formatTime(lastAt) };
}

export const renewLogAddress = implement(contract.renewLogAddress, async (ctx) => {
  const userId = memberOf(ctx);
  const mailbox = logMailbox();
  if (!mailbox) throw new Fault("log_address_unavailable");
  await holdMail(ctx); // of two at the same time the second changes what the first made
  const before = await findLogAddress(ctx.db, userId);
  const mailboxId = before?.mailboxId ?? newId();
  const token = mintToken(ctx.workspaceId);
  const sealed = {
    token: encrypt(keys(), purposeOfLogToken(mailboxId), token),
    tokenHash: new Uint8Array(sha256(token)),
  };
  if (before) await changeLogAddress(ctx.db, userId, sealed);
  else {
    await makeLogMailbox(ctx, { id: mailboxId, userId });
    await insertLogAddress(ctx.db, { userId, mailboxId, ...sealed });
  }
  await recordAudit(ctx, "log_address.renewed", mailboxId, {});
  const row = (await findLogAddress(ctx.db, userId)) as LogAddressRow;
  return { log_address: await viewOf(ctx, mailbox, row) };
});

async function viewOf({ db }: Ctx, mailbox: LogMailbox, row: LogAddressRow): Promise<contract.LogAddress> {
  const token = tokenOf(row);
  const refused = await findRefusals(db, row.userId, MOST_REFUSALS);
  return {
    address: token && addressOf(mailbox, token),
    received_at: row.receivedAt && formatTime(row.receivedAt),
    refused: refused.map(({ createdAt, sender, reason }) => ({ at: formatTime(createdAt), from: sender, reason })),
  };
}

/** Null when it cannot be opened, because its key is gone. */
function tokenOf({ mailboxId, token }: LogAddressRow): string | null {
  try {
    return decrypt(keys(), purposeOfLogToken(mailboxId), token);
  } catch (error) {
    log.error({ err: error, mailbox_id: mailboxId }, "the address for copies of mail cannot be opened");
    return null;
  }
}
