"use client";

import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "#components/ui/command.tsx";
import { Dialog, DialogContent } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { type Command as FrameCommand, useCurrentCommands } from "./commands.ts";

type PanelProps = { open: boolean; onClose: () => void };

export function CommandPalette({ open, onClose }: PanelProps) {
  const commands = useCurrentCommands().filter((command) => !command.hidden);
  const groups = Map.groupBy(commands, (command) => command.group);

  /** Closes first: the command may open a dialog of its own, and focus must not be pulled back from it. */
  function choose(command: FrameCommand) {
    onClose();
    setTimeout(command.run);
  }

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title="Command palette" hideHeader size="md" className="top-[12dvh] translate-y-0 overflow-hidden">
        <Command label="Command palette" loop filter={relevance}>
          <CommandInput placeholder="Search or jump to…" />
          <CommandList label="Commands">
            <CommandEmpty>Nothing by that name.</CommandEmpty>
            {[...groups].map(([group, members]) => (
              <CommandGroup key={group} heading={group}>
                {members.map((command) => (
                  <CommandItem
                    key={command.id}
                    value={command.label}
                    keywords={[...(command.keywords ?? [])]}
                    onSelect={() => choose(command)}
                  >
                    {command.icon ? <command.icon aria-hidden="true" /> : null}
                    <span className="truncate">{command.label}</span>
                    {command.keys ? <Kbd keys={command.keys} className="ml-auto max-md:hidden" /> : null}
                  </CommandItem>
                ))}
              </CommandGroup>
            ))}
          </CommandList>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

/** Every word of the query must begin a word of the command; its label counts for more than its keywords. */
function relevance(label: string, query: string, keywords: readonly string[] = []): number {
  const wanted = words(query);
  const own = words(label);
  const other = words(keywords.join(" "));
  if (label.toLowerCase().startsWith(query.trim().toLowerCase())) return 1;
  if (wanted.every((word) => begins(own, word))) return 0.8;
  return wanted.every((word) => begins(own, word) || begins(other, word)) ? 0.5 : 0;
}

function words(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function begins(candidates: readonly string[], word: string): boolean {
  return candidates.some((candidate) => candidate.startsWith(word));
}
