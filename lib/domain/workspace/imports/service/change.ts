import type { z } from "zod";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { withoutUndefined } from "#lib/core/json.ts";
import { requireList } from "#lib/domain/crm/leads/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import * as contract from "../contract.ts";
import { deleteBatches, deleteChunks } from "../queries/batches.ts";
import { clearCheck, findImport, findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { requireCountry } from "../rules/countries.ts";
import { mappingProblem } from "../rules/mapping.ts";
import { begun, type RunCounts, type Undone } from "../rules/progress.ts";
import { importOf } from "../serialize.ts";
import { sampleOf, stagesIn } from "./reading.ts";
import { checking, queue, queueReading, running, tellImports, undoing } from "./work.ts";

/** The import, locked; throws 404, and 409 in another state than these. */
async function requireState(
  ctx: Pick<Ctx, "db">,
  id: string,
  states: readonly contract.ImportState[],
): Promise<ImportRecord> {
  const record = await findImportToChange(ctx.db, id);
  if (!record || record.state === "uploading") throw new Fault("import_not_found");
  if (states.includes(record.state)) return record;
  throw refusal(record, states);
}

const refusal = ({ state }: ImportRecord, states: readonly contract.ImportState[]): Fault =>
  new Fault(
    "import_not_possible",
    { state, allowed: states },
    `The import is ${state}; this can be done when it is ${states.join(" or ")}.`,
  );

async function answerOf(ctx: Pick<Ctx, "db">, id: string): Promise<{ import: contract.Import }> {
  const record = await findImport(ctx.db, id);
  if (!record || record.state === "uploading") throw new Fault("import_not_found");
  return { import: importOf(record) };
}

export const getImport = implement(contract.getImport, (ctx, { id }) => answerOf(ctx, id));

export const patchImport = implement(contract.patchImport, async (ctx, { id, ...change }) => {
  const record = await requireState(ctx, id, isReread(change) ? ["ready", "failed"] : ["ready"]);
  if (record.state === "failed" && record.run) throw refusal(record, ["ready"]);
  const {
    name,
    policy,
    create: creates,
    list_id: listId,
    stage_values: stageValues,
    encoding,
    delimiter,
    header_row: headerRow,
    phone_country: phoneCountry,
    kind,
  } = change;
  if (isReread(change) && change.mapping)
    throw new Fault(
      "invalid_mapping",
      { parameter: "mapping" },
      "The file is read again first: give the mapping in a second call.",
    );
  if (phoneCountry) requireCountry(phoneCountry);
  if (listId) {
    await requireList(ctx, listId);
    if ((kind ?? record.kind) !== "people")
      throw new Fault("invalid_parameter", { parameter: "list_id" }, "list_id: only people can be added to a list.");
  }
  await setImport(ctx.db, id, {
    ...withoutUndefined({
      name,
      policy,
      creates,
      listId,
      stageValues,
      encoding,
      delimiter,
      headerRow,
      phoneCountry,
      kind,
    }),
    ...(kind !== undefined && kind !== "people" ? { listId: null } : {}),
    ...(await mapped(ctx, record, change.mapping)),
  });
  await clearCheck(ctx.db, id);
  if (isReread(change)) {
    await setImport(ctx.db, id, { state: "reading" });
    await queueReading(ctx, id);
  }
  tellImports(ctx);
  return answerOf(ctx, id);
});

type Change = { encoding?: unknown; delimiter?: unknown; header_row?: unknown; kind?: unknown };
const isReread = ({ encoding, delimiter, header_row, kind }: Change) =>
  [encoding, delimiter, header_row, kind].some((one) => one !== undefined);

type Choices = z.output<typeof contract.patchImport.input>["mapping"];

/** The columns with other choices; throws 400 for a choice that the file does not allow. */
async function mapped(ctx: Ctx, record: ImportRecord, choices: Choices): Promise<Partial<ImportRecord>> {
  if (!choices) return {};
  const chosen = new Map(choices.map((choice) => [choice.column, choice]));
  const unknown = choices.find(({ column }) => column > record.columns.length);
  if (unknown)
    throw new Fault(
      "invalid_mapping",
      { parameter: "mapping" },
      `The file has no column ${unknown.column}; it has ${record.columns.length}.`,
    );
  const columns = record.columns.map((column) => {
    const choice = chosen.get(column.column);
    return choice
      ? { ...column, to: choice.to, as: choice.as === undefined ? (column.as ?? null) : choice.as }
      : column;
  });
  const problem = mappingProblem(record.kind, columns);
  if (problem) throw new Fault("invalid_mapping", { parameter: "mapping" }, problem);
  return { columns, stagesSeen: stagesIn(columns, await sampleOf(ctx, record.id)) };
}

function requireMapping(record: ImportRecord): void {
  const problem = mappingProblem(record.kind, record.columns);
  if (problem) throw new Fault("invalid_mapping", { parameter: "mapping" }, problem);
}

export const previewImport = implement(contract.previewImport, async (ctx, { id }) => {
  const record = await requireState(ctx, id, ["ready"]);
  requireMapping(record);
  await clearCheck(ctx.db, id);
  await setImport(ctx.db, id, { state: "checking", position: 0, check: begun(new Date()) });
  await queue(ctx, checking, id);
  tellImports(ctx);
  return answerOf(ctx, id);
});

export const runImport = implement(contract.runImport, async (ctx, { id }) => {
  const record = await requireState(ctx, id, ["ready", "cancelled", "failed"]);
  const goesOn = record.run !== null;
  if (record.state !== "ready" && (!goesOn || !record.kept || record.undo)) throw refusal(record, ["ready"]);
  requireMapping(record);
  if (!goesOn) await deleteChunks(ctx.db, id); // its rows are kept; it is not read again
  await setImport(ctx.db, id, {
    state: "running",
    ...(goesOn ? { run: { ...(record.run as RunCounts), finishedAt: null } } : { position: 0, run: begun(new Date()) }),
    runBy: nameOfActor(ctx),
    problem: null,
  });
  await queue(ctx, running, id);
  await recordAudit(ctx, goesOn ? "import.resumed" : "import.started", id, { name: record.name, rows: record.rows });
  tellImports(ctx);
  return answerOf(ctx, id);
});

export const cancelImport = implement(contract.cancelImport, async (ctx, { id }) => {
  const record = await requireState(ctx, id, ["reading", "ready", "checking", "running", "failed", "cancelled"]);
  if (record.state === "cancelled") return answerOf(ctx, id);
  if (record.state === "checking") {
    await clearCheck(ctx.db, id);
    await setImport(ctx.db, id, { state: "ready" });
  } else {
    if (!record.run) await discardFile(ctx, id);
    const run = record.run && { ...record.run, finishedAt: new Date().toISOString() };
    await setImport(ctx.db, id, { state: "cancelled", ...(run ? { run } : {}) });
    await recordAudit(ctx, "import.cancelled", id, { name: record.name });
  }
  tellImports(ctx);
  return answerOf(ctx, id);
});

export const undoImport = implement(contract.undoImport, async (ctx, { id }) => {
  const record = await requireState(ctx, id, ["done", "cancelled", "failed"]);
  if (!record.run) throw refusal(record, ["done"]);
  await setImport(ctx.db, id, {
    state: "undoing",
    undo: { ...(record.undo ?? undoBegun(new Date())), by: nameOfActor(ctx) },
    problem: null,
  });
  await queue(ctx, undoing, id);
  await recordAudit(ctx, "import.undo_started", id, { name: record.name });
  tellImports(ctx);
  return answerOf(ctx, id);
});

const undoBegun = (at: Date): Undone => ({
  batches: 0,
  done: 0,
  removed: 0,
  restored: 0,
  kept: 0,
  also: 0,
  keptIds: [],
  startedAt: at.toISOString(),
  finishedAt: null,
});

/** Removes the rows of a file, and the file. */
async function discardFile(ctx: Pick<Ctx, "db">, id: string): Promise<void> {
  await deleteChunks(ctx.db, id);
  await deleteBatches(ctx.db, id);
  await setImport(ctx.db, id, { kept: false });
}
