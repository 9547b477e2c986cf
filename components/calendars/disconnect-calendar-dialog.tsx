"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Calendar, useDisconnectCalendar } from "./calls.ts";
import { nameOf } from "./name-of.ts";

type DisconnectCalendarDialogProps = { workspaceId: string; calendar: Calendar; onClose: () => void };

/** Asks what to do with the meetings that came through a calendar. */
export function DisconnectCalendarDialog({ workspaceId, calendar, onClose }: DisconnectCalendarDialogProps) {
  const isConnected = calendar.state !== "disconnected";
  const [meetings, setMeetings] = useState<"keep" | "remove">(isConnected ? "keep" : "remove");
  const [problem, setProblem] = useState<string | null>(null);
  const disconnect = useDisconnectCalendar(workspaceId, calendar.id);
  const name = nameOf(calendar);
  const count = `${numeral(calendar.meetings)} ${calendar.meetings === 1 ? "meeting" : "meetings"}`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    setProblem(null);
    try {
      await disconnect.mutateAsync(meetings);
      toast.success(`${name} is disconnected.`);
      onClose();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={`${isConnected ? "Disconnect" : "Remove"} ${name}`}
        description="What opens it is forgotten at once. Nothing changes at your calendar provider."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label={`What came through it: ${count}`}>
              <RadioGroup<"keep" | "remove">
                value={meetings}
                onValueChange={setMeetings}
                options={[
                  { value: "keep", label: "Keep", hint: "Seen by the same people as now.", disabled: !isConnected },
                  {
                    value: "remove",
                    label: "Remove",
                    hint: "Their activities leave the timelines too. What a colleague's calendar also has stays.",
                  },
                ]}
              />
            </Field>
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit label={isConnected ? "Disconnect" : "Remove"} busy={disconnect.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
