"use client";

import { type FormEvent, useRef, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { useReject } from "./calls.ts";

type RejectDialogProps = {
  workspaceId: string;
  approvals: readonly Approval[];
  onClose: () => void;
  onDone: () => void;
};

export function RejectDialog({ workspaceId, approvals, onClose, onDone }: RejectDialogProps) {
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const reject = useReject(workspaceId);
  /** Those that are rejected already, when another could not be. */
  const rejected = useRef(new Set<string>());
  const [only, ...more] = approvals;
  const what = more.length === 0 ? only?.summary : `${approvals.length} changes`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (reject.isPending) return;
    try {
      for (const { id } of approvals.filter((one) => !rejected.current.has(one.id))) {
        await reject.mutateAsync({ id, reason });
        rejected.current.add(id);
      }
      toast.message("Rejected. Nothing was changed.", { description: what });
      onDone();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={more.length === 0 ? "Reject this change" : "Reject these changes"} description={what}>
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label="Reason" hint="The agent sees this, so it can do better." error={problem} optional>
              <Textarea value={reason} onChange={(event) => setReason(event.target.value)} rows={3} maxLength={1000} />
            </Field>
          </DialogBody>
          <DialogFooter>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="danger" loading={reject.isPending}>
              Reject
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
