import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callAccount } from "#components/api.ts";
import { listSessions, revokeSession } from "#components/operations/accounts.ts";
import type * as accounts from "#lib/domain/accounts/contract.ts";

export type Sessions = z.output<typeof accounts.listSessions.output>;

export const sessionsKey = ["account", "sessions"] as const;

export const useSessions = (initialData: Sessions) =>
  useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => callAccount(listSessions, {}, { signal }), initialData });

/** Ends one session, or all but this one (`others`). */
export function useRevokeSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callAccount(revokeSession, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}
