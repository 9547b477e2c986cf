import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { scopeFault, scopeIncludes } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { requireWithin } from "#lib/domain/reach.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { type ExportFormat, getExport } from "../contract.ts";
import { findPiece } from "../queries.ts";
import { requireExport } from "./exports.ts";

/** A file that can be downloaded, wholly or from a byte on. */
export type ExportFile = {
  name: string;
  format: ExportFormat;
  size: number;
  /** Bytes from `start` to before `end`; throws when the file is removed meanwhile. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
  /** Notes in the audit log that someone takes the file. */
  noteDownload(): Promise<void>;
};

/**
 * The file of an export. Throws 403 without the scope `read`, 404 `export_not_found`, 409 `export_not_ready`, 410
 * `export_expired`.
 */
export async function openExportFile(caller: Caller, id: string): Promise<ExportFile> {
  if (!scopeIncludes(caller.scopes, "read")) throw scopeFault(caller.scopes, "read");
  if (caller.limits) requireWithin(getExport, caller.limits);
  if (!isUuid(id)) throw new Fault("export_not_found");
  const { workspaceId } = caller;
  const row = await withWorkspace(workspaceId, (db) => requireExport({ db }, id), { readOnly: true });
  const { what, format, state, bytes, createdAt, expiresAt, message } = row;
  if (state === "expired" || (expiresAt !== null && expiresAt.getTime() < Date.now()))
    throw new Fault("export_expired", {}, message ?? undefined);
  if (state !== "done") throw new Fault("export_not_ready", { state }, message ?? undefined);
  return {
    name: `${what}-${createdAt.toISOString().slice(0, 10)}.${format}`,
    format,
    size: Number(bytes),
    async *read(start, end) {
      for (let at = start; at < end; ) {
        const place = at;
        const piece = await withWorkspace(workspaceId, (db) => findPiece(db, id, place), { readOnly: true });
        const from = piece ? at - Number(piece.start) : 0;
        if (!piece || from >= piece.content.length) throw new Error("the file was removed while it was read");
        const bytes = piece.content.subarray(from, from + (end - at));
        yield bytes;
        at += bytes.length;
      }
    },
    noteDownload: () =>
      withWorkspace(workspaceId, (db) => recordAudit({ ...caller, db }, "export.downloaded", id, { what, format })),
  };
}
