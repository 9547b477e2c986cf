import { z } from "zod";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id } from "#lib/core/schema.ts";
import { filtersForJob } from "#lib/domain/crm/people/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inFilters, requireFilters } from "#lib/domain/whole-lists.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import {
  countKept,
  type ExportRow,
  endWithoutFile,
  findExport,
  findExports,
  findExportToChange,
  forgetFiles,
  insertExport,
  lockExports,
  removeExport,
} from "../queries.ts";
import { columnsFor } from "../rules.ts";
import { exportOf } from "../serialize.ts";
import { kinds } from "./kinds.ts";
import { exporting } from "./write.ts";

/** Files that a workspace has or waits for at a time: each is stored in the database. */
const MOST_KEPT = 50;

export const createExport = implement(
  contract.createExport,
  async (ctx, { what, format, filters, columns }) => {
    const kind = kinds[what];
    requireFilters(ctx, kind.list, filters, "an export has all rows, so it is not paged.");
    const meant = await filtersForJob(ctx, what, filters).catch((error: unknown) => {
      throw inFilters(error);
    });
    const chosen = columnsFor(columns, kind.fields, kind.own);
    await lockExports(ctx.db);
    if ((await countKept(ctx.db)) >= MOST_KEPT) throw new Fault("too_many_exports");
    const id = newId();
    await insertExport(ctx.db, { id, what, format, filters: meant, columns: chosen, createdBy: nameOfActor(ctx) });
    await enqueue(ctx.db, exporting, { export_id: id });
    await recordAudit(ctx, "export.created", id, { what, format });
    return { export: exportOf(await requireExport(ctx, id)) };
  },
  { transaction: "writing" },
);

const cursors = cursorsOf(contract.listExports.name, z.tuple([Id]));

export const listExports = implement(
  contract.listExports,
  async (ctx, { limit, cursor }) => {
    const [before] = cursor === undefined ? [null] : cursors.decode(ctx, cursor);
    const rows = await findExports(ctx.db, limit + 1, before);
    const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ id }) => [id]);
    return { exports: shown.map(exportOf), ...next };
  },
  { transaction: "primary" },
);

export const getExport = implement(
  contract.getExport,
  async (ctx, { id }) => ({ export: exportOf(await requireExport(ctx, id)) }),
  { transaction: "primary" },
);

export const cancelExport = implement(contract.cancelExport, async (ctx, { id }) => {
  const { state } = await requireToChange(ctx, id);
  if (state === "queued" || state === "running") await endWithoutFile(ctx.db, id, "cancelled", null);
  return { export: exportOf(await requireExport(ctx, id)) };
});

export const deleteExport = implement(contract.deleteExport, async (ctx, { id }) => {
  const row = await requireToChange(ctx, id);
  await removeExport(ctx.db, id);
  await recordAudit(ctx, "export.deleted", id, { what: row.what });
  return { export: exportOf(row) };
});

export async function requireExport({ db }: Pick<Ctx, "db">, id: string): Promise<ExportRow> {
  const row = await findExport(db, id);
  if (!row) throw new Fault("export_not_found");
  return row;
}

/** The export, locked until the transaction ends. */
async function requireToChange({ db }: Pick<Ctx, "db">, id: string): Promise<ExportRow> {
  const row = await findExportToChange(db, id);
  if (!row) throw new Fault("export_not_found");
  return row;
}

const ERASED = "A person was erased. Make the export again.";

/**
 * In the transaction of an erasure: no file with the person stays. Finished files are removed, those under way are
 * written again from their beginning, and filters that name the person are emptied.
 */
export async function forgetInExports(ctx: Pick<Ctx, "db">, identifiers: readonly string[]): Promise<void> {
  await lockExports(ctx.db);
  for (const id of await forgetFiles(ctx.db, identifiers, ERASED)) await enqueue(ctx.db, exporting, { export_id: id });
}
