"use client";

import { useLists } from "#components/leads/use-lists.ts";
import { Select } from "#components/ui/select.tsx";
import type { Import } from "./calls.ts";
import { Option } from "./option.tsx";
import type { ChangeImport } from "./use-import-changes.ts";

const NONE = "none";

type ListOptionProps = { workspaceId: string; record: Import; patch: ChangeImport };

/** Adds the imported people to a lead list; nothing where the plan has none, or there are no lists yet. */
export function ListOption({ workspaceId, record: { list_id }, patch }: ListOptionProps) {
  const { lists } = useLists(workspaceId);
  if (lists.length === 0) return null;
  const question = "Add the people to a lead list";
  return (
    <Option question={question} hint="People already in it stay as they are. Undo removes the others.">
      <Select
        aria-label={question}
        size="sm"
        className="w-56 max-w-full"
        options={[{ value: NONE, label: "No list" }, ...lists.map(({ id, name }) => ({ value: id, label: name }))]}
        value={list_id ?? NONE}
        onValueChange={(next) => {
          const list = next === NONE ? null : next;
          patch({ list_id: list }, { list_id: list });
        }}
      />
    </Option>
  );
}
