import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callUser } from "#components/api.ts";
import { listSessions, revokeSession } from "#components/operations/users.ts";
import type * as users from "#lib/domain/workspace/users/contract.ts";

export type Sessions = z.output<typeof users.listSessions.output>;

export const sessionsKey = ["account", "sessions"] as const;

export const useSessions = (initialData: Sessions) =>
  useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => callUser(listSessions, {}, { signal }), initialData });

/** Ends one session, or all but this one (`others`). */
export function useRevokeSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callUser(revokeSession, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}
