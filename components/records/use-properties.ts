import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { callOperation } from "#components/api.ts";
import { listProperties } from "#components/operations/people.ts";
import type { Property } from "#lib/domain/crm/people/contract.ts";

const none: readonly Property[] = [];

/** The properties that people or companies can be filtered by; none while they are not known. */
export function useProperties(workspaceId: string, subject: Property["subject"], enabled = true): readonly Property[] {
  const { data } = useQuery({
    queryKey: ["properties", workspaceId, subject],
    queryFn: async ({ signal }) =>
      (await callOperation(listProperties, workspaceId, { subject }, { signal })).properties,
    staleTime: 60_000,
    enabled,
  });
  return data ?? none;
}

/** The names of the custom properties that there are; they are asked for once something calls the function. */
export function useKnownProperties(
  workspaceId: string,
  subject: Property["subject"],
): [names: readonly string[], ask: () => void] {
  const [wanted, setWanted] = useState(false);
  const properties = useProperties(workspaceId, subject, wanted);
  const names = useMemo(() => properties.flatMap(({ name, standard }) => (standard ? [] : [name])), [properties]);
  return [names, useCallback(() => setWanted(true), [])];
}
