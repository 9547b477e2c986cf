import { useQuery } from "@tanstack/react-query";
import { DateFilter } from "#components/records/date-filter.tsx";
import { memberName, membersOf } from "#components/records/members.ts";
import { Button } from "#components/ui/button.tsx";
import { Select } from "#components/ui/select.tsx";
import { type AuditFilter, auditKinds, EVERYTHING, isEverything } from "./audit-filter.ts";

type AuditFiltersProps = {
  workspaceId: string;
  filter: AuditFilter;
  onFilter: (change: Partial<AuditFilter>) => void;
};

const EVERY = "every";

const machines = [
  { value: "api_key", label: "Any API key" },
  { value: "mcp", label: "Any agent" },
  { value: "cli", label: "Operators" },
  { value: "job", label: "Rapport" },
];

/** By kind, by who acted, and by date. */
export function AuditFilters({ workspaceId, filter, onFilter }: AuditFiltersProps) {
  const { data } = useQuery(membersOf(workspaceId));
  const members = (data?.members ?? []).map((member) => ({
    value: `user:${member.user_id}`,
    label: memberName(member),
  }));
  return (
    <>
      <Select
        aria-label="Kind of entry"
        className="w-52"
        value={filter.kind ?? EVERY}
        onValueChange={(next) => onFilter({ kind: next === EVERY ? null : next })}
        options={[{ value: EVERY, label: "Everything" }, ...auditKinds]}
      />
      <Select
        aria-label="Who"
        className="w-44"
        value={filter.actor ?? EVERY}
        onValueChange={(next) => onFilter({ actor: next === EVERY ? null : next })}
        options={[{ value: EVERY, label: "Everyone" }, ...members, ...machines]}
      />
      <DateFilter span={filter} title="Entries" onSpan={onFilter} />
      {isEverything(filter) ? null : (
        <Button variant="ghost" onClick={() => onFilter(EVERYTHING)}>
          Clear
        </Button>
      )}
    </>
  );
}
