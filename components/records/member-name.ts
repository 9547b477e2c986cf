import { useQuery } from "@tanstack/react-query";
import type { Filter, PlaceValue } from "./list-kind.ts";
import { membersOf } from "./members.ts";

/** The name of the member that a filter by owner is set to; undefined until it is known, or when there is none. */
export function useMemberName(workspaceId: string, filter: Filter, value: PlaceValue): string | undefined {
  const isMember = filter.kind === "owner" && !filter.choices?.some((choice) => choice.value === value);
  const { data } = useQuery({ ...membersOf(workspaceId), enabled: isMember });
  if (!isMember) return undefined;
  const member = data?.members.find(({ email, id, user_id }) => [email, id, user_id].includes(String(value)));
  return member?.name?.trim() || undefined;
}
