"use client";

import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Choices } from "./choices.tsx";
import type { Choice, PlaceValue } from "./list-kind.ts";
import { memberName, membersOf } from "./members.ts";
import { problemOf } from "./problem.ts";

type OwnerEditorProps = {
  workspaceId: string;
  choices: readonly Choice[];
  value: PlaceValue;
  onValue: (value: string) => void;
};

/** Picks a member of the workspace, or one of the choices before them. */
export function OwnerEditor({ workspaceId, choices, value, onValue }: OwnerEditorProps) {
  const { data, error, isPending } = useQuery(membersOf(workspaceId));
  const members = (data?.members ?? []).map((member) => ({ value: member.email, label: memberName(member) }));
  return (
    <div className="flex flex-col gap-2">
      <Choices choices={[...choices, ...members]} value={value} onChoice={onValue} />
      {isPending ? <Skeleton className="mx-2 w-32" /> : null}
      <p role="alert" className="text-danger-text text-sm empty:hidden">
        {error ? problemOf(error).message : null}
      </p>
    </div>
  );
}
