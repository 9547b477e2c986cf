"use client";

import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { InvitationResult } from "./members.ts";

/** The link is shown only now: the server keeps only a hash of it. */
export function InvitationLink({ invited, onDone }: { invited: InvitationResult; onDone: () => void }) {
  const link = new URL(invited.link, window.location.origin).href;
  return (
    <>
      <DialogBody>
        <Field label="Link" hint="It is shown only this once.">
          <Input
            value={link}
            readOnly
            className="font-mono text-sm"
            onFocus={(event) => event.target.select()}
            trailing={<CopyButton value={link} label="Copy link" size="sm" />}
          />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}
