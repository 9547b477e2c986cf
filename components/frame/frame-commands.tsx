"use client";

import {
  Building2,
  CircleHelp,
  FilePlus,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  PencilLine,
  Plus,
  Search,
  Sun,
  UserPlus,
} from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useRef } from "react";
import { type Command, useCommandSource, useCommands } from "./commands.ts";
import type { FrameProps } from "./frame.ts";
import { useBelonging } from "./here.ts";
import { useKeyboard } from "./keyboard.ts";
import { createWorkspaceHref, nav, navHref, sameEntryIn } from "./nav.ts";
import { showPanel, usePanel } from "./panels.ts";
import { signOut } from "./sign-out.ts";

const CommandPalette = dynamic(() => import("./command-palette.tsx").then((module) => module.CommandPalette), {
  ssr: false,
});
const MobileMenu = dynamic(() => import("./mobile-menu.tsx").then((module) => module.MobileMenu), { ssr: false });
const ShortcutHelp = dynamic(() => import("./shortcut-help.tsx").then((module) => module.ShortcutHelp), { ssr: false });

const themes = [
  { value: "light", label: "Light theme", icon: Sun },
  { value: "dark", label: "Dark theme", icon: Moon },
  { value: "system", label: "System theme", icon: Monitor },
] as const;

/** What one can do on every page, and the panels that offer it; the panels load when first opened. */
export function FrameCommands({ workspace, workspaces }: Omit<FrameProps, "user">) {
  const router = useRouter();
  const pathname = usePathname();
  const belonging = useBelonging();
  const { setTheme } = useTheme();
  const panel = usePanel();
  const opened = useRef(new Set<string>());
  if (panel) opened.current.add(panel);

  const go = (href: string) => () => router.push(href);
  const commands: Command[] = [
    {
      id: "palette",
      label: "Command palette",
      group: "General",
      keys: "mod+k",
      hidden: true,
      run: () => showPanel("palette"),
    },
    {
      id: "search",
      label: "Search",
      group: "General",
      icon: Search,
      keys: "/",
      hidden: true,
      run: () => showPanel("palette"),
    },
    ...nav.map((entry) => ({
      id: `go-${entry.id}`,
      label: entry.label,
      group: "Go to",
      icon: entry.icon,
      keys: `g ${entry.key}`,
      keywords: entry.keywords ?? [],
      run: entry.href ? () => void window.open(entry.href, "_blank", "noreferrer") : go(navHref(entry, workspace.id)),
    })),
    {
      id: "add-person",
      label: "Add a person",
      group: "Create",
      icon: UserPlus,
      keywords: ["new", "contact"],
      run: go(`/${workspace.id}/people?new=1`),
    },
    {
      id: "add-note",
      label: "Add a note",
      group: "Create",
      icon: FilePlus,
      keywords: ["new", "write"],
      run: go(`/${workspace.id}/notes?open=new-note`),
    },
    {
      id: "mint-key",
      label: "Mint an API key",
      group: "Create",
      icon: KeyRound,
      keywords: ["new", "create", "token"],
      run: go(`/${workspace.id}/api-keys?new=1`),
    },
    {
      id: "write-icp",
      label: "Write the ICP",
      group: "Create",
      icon: PencilLine,
      keywords: ["ideal customer profile", "edit"],
      run: go(`/${workspace.id}/gtm-context?edit=icp`),
    },
    ...workspaces
      .filter((each) => each.id !== workspace.id)
      .map((each) => ({
        id: `workspace-${each.id}`,
        label: `Switch to ${each.name}`,
        group: "Workspace",
        icon: Building2,
        keywords: ["workspace"],
        run: go(sameEntryIn(each.id, pathname, belonging)),
      })),
    {
      id: "workspace-new",
      label: "Create workspace",
      group: "Workspace",
      icon: Plus,
      keywords: ["new"],
      run: go(createWorkspaceHref),
    },
    ...themes.map((theme) => ({
      id: `theme-${theme.value}`,
      label: theme.label,
      group: "General",
      icon: theme.icon,
      keywords: ["theme", "mode"],
      run: () => setTheme(theme.value),
    })),
    {
      id: "help",
      label: "Help and shortcuts",
      group: "General",
      icon: CircleHelp,
      keys: "?",
      run: () => showPanel("help"),
    },
    {
      id: "sign-out",
      label: "Sign out",
      group: "General",
      icon: LogOut,
      keywords: ["log out"],
      run: () => void signOut(),
    },
  ];
  useCommands(commands);
  useCommandSource(async (text, signal) => {
    const { findRecords } = await import("#components/records/palette.ts");
    return findRecords(workspace.id, text, signal, (href) => router.push(href));
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
