"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { UpgradePanel } from "#components/plans/upgrade-panel.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Refusal } from "#components/records/refusal.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { useSending } from "#components/records/use-sending.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Select } from "#components/ui/select.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { type Plan, planHas } from "#lib/core/plans.ts";
import { addPeople, createList, type PeopleToAdd, removeLeads } from "./calls.ts";
import { leadsId } from "./leads-kind.tsx";
import { listsKey, useLists } from "./use-lists.ts";

type AddToListDialogProps = {
  workspaceId: string;
  plan: Plan;
  people: PeopleToAdd;
  onAdded: () => void;
  onClose: () => void;
};

export function AddToListDialog(props: AddToListDialogProps) {
  const { workspaceId, plan, people, onClose } = props;
  const who =
    typeof people === "function"
      ? "Adds all matching people to a list."
      : `Adds ${numeral(people.length)} ${people.length === 1 ? "person" : "people"} to a list as leads.`;
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Add to list" description={`${who} People already in it stay as they are.`}>
        {planHas(plan, "lead_lists") ? (
          <ListForm {...props} />
        ) : (
          <DialogBody>
            <UpgradePanel workspaceId={workspaceId} plan={plan} feature="lead_lists" />
          </DialogBody>
        )}
      </DialogContent>
    </Dialog>
  );
}

const NEW = "new";

function ListForm({ workspaceId, people, onAdded, onClose }: AddToListDialogProps) {
  const query = useLists(workspaceId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const { problem, busy, send } = useSending();
  const client = useQueryClient();
  const target = chosen ?? query.lists[0]?.id ?? NEW;

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    setMissing(target === NEW && name.trim() === "");
    if (target === NEW && name.trim() === "") return;
    await send(async () => {
      try {
        await addToTarget();
      } catch (error) {
        void query.refetch();
        throw error;
      }
      onAdded();
      onClose();
    });
  }

  async function addToTarget() {
    const list =
      target === NEW ? await createList(workspaceId, name.trim()) : query.lists.find(({ id }) => id === target);
    if (!list) throw new Error("the chosen list is not among those shown");
    // A second try after a failure adds to the list that was made.
    setChosen(list.id);
    if (typeof people === "function") await people(list.id);
    else await addThese(list, people);
  }

  async function addThese(list: { id: string; name: string }, ids: readonly string[]) {
    const done = await addPeople(workspaceId, list.id, ids);
    const refresh = () => {
      void client.invalidateQueries({ queryKey: listsKey(workspaceId) });
      void client.invalidateQueries({ queryKey: [leadsId, workspaceId] });
    };
    refresh();
    const words = wordsOf(done, list.name);
    const open = (
      <Link href={`/${workspaceId}/leads/${list.id}`} className="underline">
        Open the list
      </Link>
    );
    if (done.leadIds.length === 0) return toast.success(words, { description: open });
    toastWithUndo(words, () => removeLeads(workspaceId, done.leadIds).then(refresh, toastProblem), {
      description: open,
    });
  }

  if (query.isPending)
    return (
      <DialogBody>
        <Skeleton className="h-9 w-full" />
      </DialogBody>
    );
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <LoadProblem title="The lists could not be loaded" query={query} />
        <Field label="List">
          <Select
            options={[
              ...query.lists.map(({ id, name: label }) => ({ value: id, label })),
              { value: NEW, label: "New list" },
            ]}
            value={target}
            onValueChange={setChosen}
          />
        </Field>
        {target === NEW ? (
          <Field label="Name of the new list" error={missing ? "Enter a name for the list." : undefined}>
            <Input
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Fintech CFOs, DACH"
              autoComplete="off"
              maxLength={200}
            />
          </Field>
        ) : null}
        <Refusal problem={problem} />
      </DialogBody>
      <DialogSubmit label="Add" busy={busy} />
    </form>
  );
}

type AddResult = Awaited<ReturnType<typeof addPeople>>;

function wordsOf({ inserted, duplicate_skipped, skipped }: AddResult, list: string): string {
  const parts = [
    `${numeral(inserted)} added to ${list}`,
    ...(duplicate_skipped > 0 ? [`${numeral(duplicate_skipped)} in it already`] : []),
    ...(skipped > 0 ? [`${numeral(skipped)} could not be added`] : []),
  ];
  return `${parts.join(", ")}.`;
}
