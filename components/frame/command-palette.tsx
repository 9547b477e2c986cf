"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useState } from "react";
import {
  Command,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command.tsx";
import { Dialog, DialogContent } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { takeTyped } from "#components/ui/typed-ahead.ts";
import { commandIcons } from "./command-icons.ts";
import { type Command as FrameCommand, findCommands, useCurrentCommands } from "./commands.ts";
import { matching } from "./matching.ts";

type PanelProps = { open: boolean; onClose: () => void };

export function CommandPalette({ open, onClose }: PanelProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title="Command palette" hideHeader size="md" className="top-[12dvh] translate-y-0 overflow-hidden">
        <Palette onClose={onClose} />
      </DialogContent>
    </Dialog>
  );
}

/** Commands by their words, and below them the records and notes that the sources find. */
function Palette({ onClose }: Pick<PanelProps, "onClose">) {
  const [text, setText] = useState("");
  const commands = useCurrentCommands().filter((command) => !command.hidden);
  const { commands: found, searching } = useFound(text);
  const groups = [...matching(commands, text), ...Map.groupBy(found, (command) => command.group)];

  /** Closes first: the command may open its own dialog, and the focus must stay there. */
  function choose(command: FrameCommand) {
    onClose();
    setTimeout(command.run);
  }

  return (
    <Command label="Command palette" loop shouldFilter={false}>
      <CommandInput
        placeholder="Search or jump to…"
        value={text}
        onValueChange={setText}
        onFocus={() => {
          const before = takeTyped();
          if (before.text !== "") setText(before.text);
        }}
      />
      <CommandList label="Commands">
        <CommandEmpty>{searching ? "Searching…" : "Nothing found."}</CommandEmpty>
        {groups.map(([group, members]) => (
          <CommandGroup key={group} heading={group}>
            {members.map((command) => (
              <CommandItem key={command.id} value={command.id} onSelect={() => choose(command)}>
                <Icon command={command} />
                <span className="shrink-0 max-w-2/3 truncate">{command.label}</span>
                {command.detail ? (
                  <span className="min-w-0 truncate text-muted-foreground text-sm">{command.detail}</span>
                ) : null}
                {command.keys ? <Kbd keys={command.keys} className="ml-auto max-md:hidden" /> : null}
              </CommandItem>
            ))}
          </CommandGroup>
        ))}
      </CommandList>
    </Command>
  );
}

function Icon({ command }: { command: FrameCommand }) {
  const Drawn = command.icon ?? commandIcons[command.id];
  return Drawn ? <Drawn aria-hidden="true" /> : null;
}

const shortest = 2;
const restMs = 120;

/** Asks the sources when the reader pauses; earlier results stay until there are new ones. */
function useFound(text: string): { commands: readonly FrameCommand[]; searching: boolean } {
  const wanted = text.trim();
  const [, workspace] = usePathname().split("/");
  const query = useQuery({
    queryKey: ["palette", workspace, wanted],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, restMs));
      signal.throwIfAborted();
      return findCommands(wanted, signal);
    },
    enabled: wanted.length >= shortest,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (wanted.length < shortest) return { commands: [], searching: false };
  return { commands: query.data ?? [], searching: query.isFetching };
}
