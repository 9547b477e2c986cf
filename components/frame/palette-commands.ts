import {
  BookOpenText,
  Building2,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  Pin,
  Plus,
  Sun,
  Target,
  Undo2,
  UserPlus,
  Zap,
} from "lucide-react";
import { type PinnedView, viewHref } from "#components/saved-views/pinned.ts";
import type { Command } from "./commands.ts";
import type { FrameProps } from "./frame.ts";
import { guide, guideHref } from "./guide.ts";
import { createWorkspaceHref, sameEntryIn } from "./nav.ts";
import { signOut } from "./sign-out.ts";

const themes = [
  { value: "light", label: "Light theme", icon: Sun },
  { value: "dark", label: "Dark theme", icon: Moon },
  { value: "system", label: "System theme", icon: Monitor },
] as const;

type Means = Omit<FrameProps, "user"> & {
  pathname: string;
  /** The list the page belongs to when the address does not say it. */
  belonging: string | null;
  /** The pinned views. */
  views: readonly PinnedView[];
  /** Goes there; `what` is what the reader asked for. */
  go: (href: string, what: string) => void;
  setTheme: (theme: string) => void;
  /** The last action that can be undone. */
  last: { message: string; undo: () => void } | null;
  /** Loads the sample data and goes Home; null while it is loaded, or when the reader may not load it. */
  lookAround: (() => void) | null;
};

/** The commands of every page that only the palette offers. */
export const paletteCommands = (means: Means): Command[] => [
  ...viewCommands(means),
  ...createCommands(means).map((command) => ({ ...command, writes: true })),
  ...workspaceCommands(means),
  ...generalCommands(means),
  ...guideCommands,
];

const viewCommands = ({ workspace, views, go }: Means): Command[] =>
  views.map((view) => ({
    id: `go-view-${view.id}`,
    label: view.name,
    detail: view.list,
    group: "Go to",
    icon: Pin,
    keywords: ["view"],
    run: () => go(viewHref(workspace.id, view), view.name),
  }));

const createCommands = ({ workspace, go, lookAround }: Means): Command[] => [
  {
    id: "add-person",
    label: "Add a person",
    group: "Create",
    keywords: ["new", "contact"],
    run: () => go(`/${workspace.id}/people?new=1`, "Add a person"),
  },
  {
    id: "add-note",
    label: "Add a note",
    group: "Create",
    keywords: ["new", "write"],
    run: () => go(`/${workspace.id}/notes?open=new-note`, "Add a note"),
  },
  {
    id: "import",
    label: "Import a CSV file",
    group: "Create",
    keywords: ["upload", "spreadsheet", "excel", "history", "imports", "people", "companies", "notes"],
    run: () => go(`/${workspace.id}/imports`, "Import a CSV file"),
  },
  {
    id: "mint-key",
    label: "Create an API key",
    group: "Create",
    icon: KeyRound,
    keywords: ["new", "create", "token"],
    run: () => go(`/${workspace.id}/api-keys?new=1`, "Create an API key"),
  },
  {
    id: "invite",
    label: "Invite someone",
    group: "Create",
    icon: UserPlus,
    keywords: ["member", "colleague", "team", "new"],
    run: () => go(`/${workspace.id}/settings/members?new=1`, "Invite someone"),
  },
  {
    id: "new-trigger",
    label: "New trigger",
    group: "Create",
    icon: Zap,
    keywords: ["webhook", "add", "create"],
    run: () => go(`/${workspace.id}/triggers?new=1`, "New trigger"),
  },
  {
    id: "write-icp",
    label: "Write the ICP",
    group: "Create",
    keywords: ["ideal customer profile", "edit"],
    run: () => go(`/${workspace.id}/gtm-context?edit=icp`, "Write the ICP"),
  },
  ...(lookAround
    ? [
        {
          id: "sample-data",
          label: "Look around with sample data",
          group: "Create",
          keywords: ["demo", "example", "try"],
          run: lookAround,
        },
      ]
    : []),
  {
    id: "scoring-model",
    label: "Change the scoring model",
    group: "Create",
    icon: Target,
    keywords: ["icp score", "signals", "weights"],
    run: () => go(`/${workspace.id}/settings/scoring`, "ICP scoring"),
  },
];

const workspaceCommands = ({ workspace, workspaces, pathname, belonging, go }: Means): Command[] => [
  ...workspaces
    .filter((each) => each.id !== workspace.id)
    .map((each) => ({
      id: `workspace-${each.id}`,
      label: `Switch to ${each.name}`,
      group: "Workspace",
      icon: Building2,
      keywords: ["workspace"],
      run: () => go(sameEntryIn(each.id, pathname, belonging), each.name),
    })),
  {
    id: "workspace-new",
    label: "Create workspace",
    group: "Workspace",
    icon: Plus,
    keywords: ["new"],
    run: () => go(createWorkspaceHref, "Create workspace"),
  },
];

const generalCommands = ({ setTheme, last }: Means): Command[] => [
  ...(last
    ? [
        {
          id: "undo",
          label: "Undo the last change",
          detail: last.message,
          group: "General",
          icon: Undo2,
          keywords: ["revert", "back"],
          run: last.undo,
        },
      ]
    : []),
  ...themes.map((theme) => ({
    id: `theme-${theme.value}`,
    label: theme.label,
    group: "General",
    icon: theme.icon,
    keywords: ["theme", "mode"],
    run: () => setTheme(theme.value),
  })),
  {
    id: "sign-out",
    label: "Sign out",
    group: "General",
    icon: LogOut,
    keywords: ["log out"],
    run: () => void signOut(),
  },
];

const guideCommands: readonly Command[] = guide.map((entry) => ({
  id: `guide-${entry.page}`,
  label: entry.title,
  group: "Guide",
  icon: BookOpenText,
  keywords: ["guide", "help", "how", "learn"],
  run: () => void window.open(guideHref(entry), "_blank", "noreferrer"),
}));
