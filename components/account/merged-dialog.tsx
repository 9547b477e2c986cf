"use client";

import { Dialog, DialogBody, DialogContent } from "#components/ui/dialog.tsx";
import { MergedRecords, type MergedRecordsProps } from "./merged-records.tsx";

/** What was merged into a record, to undo it at any time. */
export function MergedDialog({ name, onClose, ...props }: MergedRecordsProps & { name: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title={`Merged into ${name}`}
        description="A record whose merge is undone has its own facts, notes and timeline again. What was added to this one since stays here."
        size="md"
      >
        <DialogBody>
          <MergedRecords {...props} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
