"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isLost, miss } from "#components/ui/connection.ts";
import { leavePage } from "#components/ui/leaving.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { whileIdle } from "#components/ui/while-idle.ts";
import { useCommandSource, useCommands } from "./commands.ts";
import type { FrameProps } from "./frame.ts";
import { holdWrites } from "./hold-writes.ts";
import { keyCommands } from "./key-commands.ts";
import { useKeyboard } from "./keyboard.ts";
import { showPanel, usePaletteAsked, usePanel } from "./panels.ts";

const CommandPalette = onDemand("Search", () =>
  import("./command-palette.tsx").then((module) => module.CommandPalette),
);
const PaletteCommands = onDemand(
  null,
  () => import("./offer-palette-commands.tsx").then((module) => module.PaletteCommands),
  { optional: true },
);
const MobileMenu = onDemand("The menu", () => import("./mobile-menu.tsx").then((module) => module.MobileMenu));
const ShortcutHelp = onDemand("Help and shortcuts", () =>
  import("./shortcut-help.tsx").then((module) => module.ShortcutHelp),
);

const loadSearch = () => import("#components/records/palette.ts");
whileIdle(loadSearch);

/** The commands of every page, and the panels that offer them; the panels load when first opened. */
export function FrameCommands({ workspace, workspaces, user }: FrameProps) {
  const router = useRouter();
  const panel = usePanel();
  const wasAsked = usePaletteAsked();
  const opened = useRef(new Set<string>());
  if (panel) opened.current.add(panel);

  const go = (href: string, what: string) => (isLost() ? miss(what) : leavePage(() => router.push(href)));
  useCommands(keyCommands({ workspaceId: workspace.id, go }));
  useCommandSource(async (text, signal) => {
    const { findRecords } = await loadSearch();
    return findRecords({ workspaceId: workspace.id, email: user.email, go }, text, signal);
  });
  useKeyboard();
  useEffect(() => (user.readsOnly ? holdWrites() : undefined), [user.readsOnly]);

  return (
    <>
      {wasAsked ? (
        <PaletteCommands workspace={workspace} workspaces={workspaces} open={panel === "palette"} go={go} />
      ) : null}
      {wasAsked ? <CommandPalette open={panel === "palette"} onClose={closePanel} /> : null}
      {opened.current.has("help") ? <ShortcutHelp open={panel === "help"} onClose={closePanel} /> : null}
      {opened.current.has("menu") ? (
        <MobileMenu open={panel === "menu"} onClose={closePanel} workspace={workspace} workspaces={workspaces} />
      ) : null}
    </>
  );
}

function closePanel() {
  showPanel(null);
}
