import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { callOperation } from "#components/api.ts";
import { listProperties } from "#components/operations/people.ts";
import type { Property } from "#lib/domain/crm/people/contract.ts";
import type { Filter } from "./list-kind.ts";
import { companyWords, wordsOf } from "./names.ts";

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

/**
 * A filter for each property that the workspace has, for those of the given filters that are by any property, without the ones that
 * have a filter of their own.
 */
export function usePropertyFilters(workspaceId: string, filters: readonly Filter[]): Filter[] {
  const byAny = filters.filter(({ kind, property }) => kind === "property" && property === undefined);
  const asks = (subject: Property["subject"]) => byAny.some((filter) => filter.subject === subject);
  const of = {
    person: useProperties(workspaceId, "person", asks("person")),
    company: useProperties(workspaceId, "company", asks("company")),
  };
  const own = new Set(filters.flatMap(({ id, property, label }) => [`${id} ${property ?? id}`, label]));
  return byAny.flatMap((filter) =>
    of[filter.subject ?? "person"].flatMap(({ name, records }): Filter[] => {
      const label = filter.id === "company" ? companyWords(name) : wordsOf(name);
      if (records === 0 || own.has(label) || own.has(`${filter.id} ${name}`)) return [];
      return [{ ...filter, label, property: name, names: name.replaceAll("_", " ") }];
    }),
  );
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
