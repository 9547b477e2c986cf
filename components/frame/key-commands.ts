import { CircleHelp, Search } from "lucide-react";
import type { Command } from "./commands.ts";
import { nav, navHref } from "./nav.ts";
import { showPanel } from "./panels.ts";

type Means = {
  workspaceId: string;
  /** Goes there; `what` is what the reader asked for. */
  go: (href: string, what: string) => void;
};

/** The commands of every page that have keys; they work from the first moment. */
export const keyCommands = (means: Means): Command[] => [...panelCommands, ...placeCommands(means), help];

const panelCommands: readonly Command[] = [
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
];

const placeCommands = ({ workspaceId, go }: Means): Command[] =>
  nav.map((entry) => ({
    id: `go-${entry.id}`,
    label: entry.label,
    group: "Go to",
    icon: entry.icon,
    keys: `g ${entry.key}`,
    keywords: entry.keywords ?? [],
    run: () =>
      entry.href ? void window.open(entry.href, "_blank", "noreferrer") : go(navHref(entry, workspaceId), entry.label),
  }));

const help: Command = {
  id: "help",
  label: "Help and shortcuts",
  group: "General",
  icon: CircleHelp,
  keys: "?",
  run: () => showPanel("help"),
};
