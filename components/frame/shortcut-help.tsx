"use client";

import { Dialog, DialogBody, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { useCurrentCommands } from "./commands.ts";
import { useSingleKeys } from "./keyboard.ts";

type PanelProps = { open: boolean; onClose: () => void };

export function ShortcutHelp({ open, onClose }: PanelProps) {
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const groups = Map.groupBy(
    useCurrentCommands().filter((command) => command.keys),
    (command) => command.group,
  );
  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="Keyboard shortcuts"
        description={
          <>
            Everything here is also in the command palette. Stuck? Read the{" "}
            <a
              href="/docs/guide"
              target="_blank"
              rel="noreferrer"
              className="text-primary-text underline underline-offset-2"
            >
              guide
            </a>
            . The{" "}
            <a href="/docs" target="_blank" rel="noreferrer" className="text-primary-text underline underline-offset-2">
              API reference
            </a>{" "}
            answers what an agent can do.
          </>
        }
        size="md"
      >
        <DialogBody className="grid gap-x-8 sm:grid-cols-2">
          {[...groups].map(([group, members]) => (
            <section key={group}>
              <h3 className="pb-1 text-muted-foreground text-sm">{group}</h3>
              <dl>
                {members.map((command) => (
                  <div
                    key={command.id}
                    className="flex h-8 items-center justify-between gap-3 border-b last:border-b-0"
                  >
                    <dt className="truncate">{command.label}</dt>
                    <dd>
                      <Kbd keys={command.keys ?? ""} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </DialogBody>
        <DialogFooter className="justify-start">
          <Switch
            checked={singleKeys}
            onCheckedChange={setSingleKeys}
            label="Single-key shortcuts"
            hint="Switch off if you dictate or keys fire by accident; ⌘/Ctrl K stays."
          />
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
