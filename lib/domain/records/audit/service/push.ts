import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import type { StepResult } from "#lib/jobs/resumable.ts";
import { sendSyslog } from "#lib/providers/syslog/send.ts";
import { post } from "#lib/providers/webhook-target/post.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { signatureHeaders, standardWebhooks } from "#lib/settings/webhook-signatures.ts";
import { formatTime } from "#lib/text/time.ts";
import { type BlockRow, findBlocksAfter, findLastBlock } from "../queries/blocks.ts";
import { chainBehind } from "../queries/chain.ts";
import { findPush, type Push, savePush } from "../queries/pushes.ts";
import type { SealedEntry } from "../rules.ts";
import { sealing } from "./seal.ts";

/** The pauses between attempts; the last one repeats until the target takes the block. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];

type Next = { push: Push; block: BlockRow; entries: SealedEntry[] };

/**
 * Sends the next sealed block to AUDIT_PUSH_URL, and stores how far it came once the block was taken: killed in between, it is sent
 * again. Blocks go one after the other, so a target that takes nothing gets all of them later, in order.
 */
export async function pushNext(workspaceId: WorkspaceId, signal: AbortSignal): Promise<StepResult> {
  const { AUDIT_PUSH_URL: url } = getBoot().env;
  const next = url === undefined ? null : await findNext(workspaceId);
  if (url === undefined || !next) return "done";
  const waitMs = next.push.nextAt.getTime() - Date.now();
  if (waitMs > 0) return { waitMs };
  const problem = await send(url, workspaceId, next, signal);
  if (signal.aborted && problem !== null) return "more";
  const { push, block } = next;
  const pause = PAUSES_MS[Math.min(push.tries, PAUSES_MS.length - 1)] as number;
  const after: Push =
    problem === null
      ? { number: block.number, tries: 0, nextAt: new Date() }
      : { ...push, tries: push.tries + 1, nextAt: new Date(Date.now() + pause) };
  await withWorkspace(workspaceId, (db) => savePush(db, workspaceId, after));
  if (problem === null) return "more";
  log.warn(
    { workspace_id: workspaceId, block: block.number, tries: after.tries, problem },
    "the audit log was not sent",
  );
  return { waitMs: pause };
}

/** For what waits while no entry is written: a target that was set later, or jobs that were lost. */
export async function queueUnsent(workspaceId: WorkspaceId): Promise<void> {
  if (getBoot().env.AUDIT_PUSH_URL === undefined || !(await findNext(workspaceId))) return;
  await withWorkspace(workspaceId, (db) => enqueue(db, sealing, {}));
}

/** How often the next block was sent to AUDIT_PUSH_URL and not taken. */
export const countPushTries = async ({ db }: Pick<Ctx, "db">): Promise<number> => (await findPush(db))?.tries ?? 0;

const findNext = (workspaceId: WorkspaceId): Promise<Next | null> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      const push = (await findPush(db)) ?? { number: 0, tries: 0, nextAt: new Date(0) };
      const [block] = await findBlocksAfter(db, push.number, 1);
      if (!block) return null;
      const [before] = await findBlocksAfter(db, block.number - 2, 1);
      const from = before && before.number < block.number ? before : null;
      const entries = await chainBehind(await findLastBlock(db)).findEntriesOf(db, block, from);
      return { push, block, entries };
    },
    { readOnly: true, operation: "looking for what to send of the audit log" },
  );

/** Null: it was taken. */
async function send(
  url: string,
  workspaceId: WorkspaceId,
  { block, entries }: Next,
  signal: AbortSignal,
): Promise<string | null> {
  const hash = Buffer.from(block.hash).toString("hex");
  if (url.startsWith("syslog")) {
    const messages = entries.map((entry) => ({
      at: entry.at,
      id: entry.action,
      isWarning: entry.action === "user.sign_in_refused",
      text: JSON.stringify({ ...entry, block: block.number, hash }),
    }));
    return sendSyslog(url, messages, signal);
  }
  const previous = Buffer.from(block.previous).toString("hex");
  const body = JSON.stringify({
    type: "audit.sealed",
    timestamp: formatTime(block.sealedAt),
    data: { workspace_id: workspaceId, block: block.number, previous, hash, entries },
  });
  const id = `audit_${workspaceId}_${block.number}`;
  const signed = signatureHeaders(standardWebhooks, getBoot().env.AUDIT_PUSH_SECRET ?? "", body, { id });
  const headers = { "content-type": "application/json", "user-agent": "Rapport-Webhooks/1.0", ...signed };
  // The operator chose the address, not a tenant: it may be in their own network.
  const answer = await post({ url, headers, body }, { privateAllowed: true, signal });
  return answer.ok ? null : answer.problem;
}
