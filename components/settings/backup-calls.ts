import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getBackups } from "#components/operations/backup-status.ts";
import type { BackupStatus } from "#lib/domain/workspace/backup-status/contract.ts";

/** The storage of backups is read for it, which may be a bucket far away. */
const REFRESH_MS = 5 * 60_000;

/** How the backups are, kept up to date; `initial` is what the server rendered. */
export const useBackups = (workspaceId: string, initial: BackupStatus) =>
  useQuery({
    queryKey: ["backups", workspaceId],
    queryFn: ({ signal }) => callOperation(getBackups, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: REFRESH_MS,
  });
