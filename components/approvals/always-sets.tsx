"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { callOperation } from "#components/api.ts";
import { listApprovalRules, removeApprovalRule } from "#components/operations/approvals.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { toast } from "#components/ui/toaster.tsx";
import { keyOf } from "./pending-count.ts";
import { propertyWords } from "./words.ts";

type AlwaysSetsProps = { workspaceId: string; askerId: string; name: string };

/** The properties that a key or client may set although a person said their value; each can be taken back. */
export function AlwaysSets({ workspaceId, askerId, name }: AlwaysSetsProps) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: keyOf(workspaceId, "rules"),
    queryFn: ({ signal }) => callOperation(listApprovalRules, workspaceId, {}, { signal }),
  });
  const remove = useMutation({
    mutationFn: (id: string) => callOperation(removeApprovalRule, workspaceId, { id }),
    onError: (error) => toast.error("The rule could not be removed.", { description: problemOf(error).message }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(workspaceId, "rules") }),
  });
  const rules = (query.data?.rules ?? []).filter(({ asker_id }) => asker_id === askerId);
  if (query.error)
    return (
      <LoadProblem title="What it may always set could not be loaded" query={query} className="rounded-md border" />
    );
  if (rules.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-sm">
      <span className="text-muted-foreground">It may always set</span>
      <ul aria-label={`${name} may always set`} className="flex flex-wrap gap-1.5">
        {rules.map(({ id, property, created_by }) => (
          <li key={id} className="flex h-6 items-center rounded-md border pl-2">
            <span className="wrap-anywhere" title={created_by ? `Allowed by ${created_by}` : undefined}>
              {propertyWords(property)}
            </span>
            <button
              type="button"
              aria-label={`Ask again before it sets ${propertyWords(property)}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(id)}
              className="grid size-6 place-items-center rounded-md text-muted-foreground hover:bg-hover hover:text-foreground"
            >
              <X aria-hidden="true" className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
