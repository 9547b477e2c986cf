import { callOperation, workspaceAddress } from "#components/api.ts";
import { cancelExport, createExport, deleteExport, getExport, listExports } from "#components/operations/exports.ts";
import { addressOf } from "#lib/core/operation.ts";
import type { Export } from "#lib/domain/workspace/exports/contract.ts";

export type { Export };
export type ExportRequest = Pick<Export, "what" | "filters"> & { format?: Export["format"] };

/** Requests about exports. */
export const exportCallsOf = (workspaceId: string) => ({
  list: (cursor: string | null, signal: AbortSignal) =>
    callOperation(listExports, workspaceId, { limit: 20, ...(cursor ? { cursor } : {}) }, { signal }),
  create: async (wanted: ExportRequest) => (await callOperation(createExport, workspaceId, wanted)).export,
  get: async (id: string) => (await callOperation(getExport, workspaceId, { id })).export,
  cancel: (id: string) => callOperation(cancelExport, workspaceId, { id }),
  remove: (id: string) => callOperation(deleteExport, workspaceId, { id }),
});

export const exportsKey = (workspaceId: string) => ["exports", workspaceId] as const;

/** The address of an export's file; the server names it and sends it as a download. */
export const fileAddress = (workspaceId: string, id: string): string =>
  workspaceAddress(workspaceId, `${addressOf(getExport.http.path, { id }).address}/file`);
