/** Files that are uploaded, imported and taken back, as a caller of the API does it. The worker must run. */
import { expect } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import type { Import, ImportRow } from "#lib/domain/workspace/imports/contract.ts";
import {
  createImport,
  getImport,
  listImportRows,
  runImport,
  undoImport,
} from "#lib/domain/workspace/imports/service.ts";

export const upload = async (caller: Caller, content: string, more: object = {}): Promise<Import> =>
  (await createImport.execute(caller, { content, ...more })).import;

/** The import once it is in a state. */
export async function until(caller: Caller, id: string, state: string): Promise<Import> {
  const now = async () => (await getImport.execute(caller, { id })).import;
  const where = async () => (await now().then((found) => [found.state, found.problem ?? ""])).join(" ").trim();
  await expect.poll(where, { timeout: 40_000, interval: 20 }).toMatch(new RegExp(`^${state}\\b`));
  return now();
}

/** Imports an uploaded file. */
export async function ran(caller: Caller, { id }: Pick<Import, "id">): Promise<Import> {
  await runImport.execute(caller, { id });
  return until(caller, id, "done");
}

/** Uploads a file and imports it. */
export const imported = async (caller: Caller, content: string, more?: object): Promise<Import> =>
  ran(caller, await upload(caller, content, more));

export async function undone(caller: Caller, { id }: Pick<Import, "id">): Promise<Import> {
  await undoImport.execute(caller, { id });
  return until(caller, id, "undone");
}

export const rowsOf = async (caller: Caller, { id }: Pick<Import, "id">): Promise<ImportRow[]> =>
  (await listImportRows.execute(caller, { id })).rows;
