"use client";

import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useRef } from "react";
import { useLookAround } from "#components/sample-data/use-look-around.ts";
import { usePinnedViews } from "#components/saved-views/pinned.ts";
import { isLost, miss } from "#components/ui/connection.ts";
import { leavePage } from "#components/ui/leaving.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useLastAction } from "#components/ui/toaster.tsx";
import { whileIdle } from "#components/ui/while-idle.ts";
import { useCommandSource, useCommands } from "./commands.ts";
import type { FrameProps } from "./frame.ts";
import { frameCommands } from "./frame-command-list.ts";
import { useBelonging } from "./here.ts";
import { useKeyboard } from "./keyboard.ts";
import { showPanel, usePanel } from "./panels.ts";

const CommandPalette = onDemand("Search", () =>
  import("./command-palette.tsx").then((module) => module.CommandPalette),
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
  const pathname = usePathname();
  const belonging = useBelonging();
  const { setTheme } = useTheme();
  const panel = usePanel();
  const opened = useRef(new Set<string>());
  if (panel) opened.current.add(panel);

  const go = (href: string, what: string) => (isLost() ? miss(what) : leavePage(() => router.push(href)));
  const views = usePinnedViews(workspace.id);
  const last = useLastAction();
  const lookAround = useLookAround(workspace.id, (href) => go(href, "Home"), panel === "palette");
  useCommands(
    frameCommands({
      workspace,
      workspaces,
      pathname,
      belonging,
      views,
      go,
      setTheme,
      last,
      lookAround: lookAround && (() => void lookAround()),
    }),
  );
  useCommandSource(async (text, signal) => {
    const { findRecords } = await loadSearch();
    return findRecords({ workspaceId: workspace.id, email: user.email, go }, text, signal);
  });
  useKeyboard();

  return (
    <>
      {opened.current.has("palette") ? <CommandPalette open={panel === "palette"} onClose={closePanel} /> : null}
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
