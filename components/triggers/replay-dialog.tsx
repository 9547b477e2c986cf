"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { HOUR_MS } from "#lib/text/time.ts";
import { useReplayAll } from "./calls.ts";

const which = [
  { value: "failed", label: "What failed or was skipped", hint: "What the target accepted is not sent again." },
  { value: "all", label: "Everything", hint: "Accepted deliveries too. The target sees their ids again." },
] as const;

const spans = [
  { value: "1", label: "Since 1 hour ago" },
  { value: "24", label: "Since 24 hours ago" },
  { value: "168", label: "Since 7 days ago" },
  { value: "720", label: "Since 30 days ago" },
] as const;

type ReplayDialogProps = { workspaceId: string; triggerId: string; onClose: () => void };

/** Sends many deliveries again, in their order. */
export function ReplayDialog({ workspaceId, triggerId, onClose }: ReplayDialogProps) {
  const [chosen, setChosen] = useState<(typeof which)[number]["value"]>("failed");
  const [span, setSpan] = useState<(typeof spans)[number]["value"]>("24");
  const [problem, setProblem] = useState<string | null>(null);
  const replay = useReplayAll(workspaceId);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (replay.isPending) return;
    try {
      const since = new Date(Date.now() - Number(span) * HOUR_MS).toISOString();
      const { replayed, next_since } = await replay.mutateAsync({ id: triggerId, which: chosen, since });
      const count = numeral(replayed);
      if (replayed === 0) toast.success("There was nothing to send again.");
      else if (next_since) toast.success(`${count} are sent again. There are more: replay again to send them.`);
      else toast.success(`${count} ${replayed === 1 ? "delivery is" : "deliveries are"} sent again.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Replay deliveries" description="They are sent in order, before newer ones.">
        <form onSubmit={submit}>
          <DialogBody>
            <Field label="What">
              <RadioGroup options={which} value={chosen} onValueChange={setChosen} />
            </Field>
            <Field label="Since">
              <Select options={spans} value={span} onValueChange={setSpan} />
            </Field>
            <p role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </p>
          </DialogBody>
          <DialogSubmit label="Replay" busy={replay.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
