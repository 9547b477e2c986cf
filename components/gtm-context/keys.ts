import { Eye, FolderPlus, History, PencilLine, Plus } from "lucide-react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import type { Group } from "./profile.ts";

const group = "GTM Context";

type Means = {
  groups: readonly Group[];
  onEdit: (group: Group) => void;
  onAdd: (group: Group) => void;
  onHistory: (group: Group) => void;
  onAgentView: () => void;
  onNewCategory: () => void;
};

/** The tab's keys; they work on the section that has the focus, else on the first one in view. */
export function useProfileCommands({ groups, onEdit, onAdd, onHistory, onAgentView, onNewCategory }: Means): void {
  const onSection = (run: (section: Group) => void) => () => {
    const section = groups.find(({ slug }) => slug === sectionAtHand());
    if (section) run(section);
  };
  const commands: Command[] = [
    { id: "gtm-edit", label: "Edit section", group, icon: PencilLine, keys: "e", writes: true, run: onSection(onEdit) },
    { id: "gtm-add", label: "Add entry to section", group, icon: Plus, keys: "a", writes: true, run: onSection(onAdd) },
    { id: "gtm-history", label: "History of section", group, icon: History, keys: "h", run: onSection(onHistory) },
    { id: "gtm-next", label: "Next section", group, keys: "j", hidden: true, run: () => focusNeighbour(1) },
    { id: "gtm-previous", label: "Previous section", group, keys: "k", hidden: true, run: () => focusNeighbour(-1) },
    { id: "gtm-agents", label: "What agents see", group, icon: Eye, keywords: ["preview", "text"], run: onAgentView },
    {
      id: "gtm-category",
      label: "Add a category",
      group,
      icon: FolderPlus,
      keywords: ["new", "custom"],
      writes: true,
      run: onNewCategory,
    },
  ];
  useCommands(commands);
}

const sections = () => [...document.querySelectorAll<HTMLElement>("[data-section]")];

const focused = () => document.activeElement?.closest<HTMLElement>("[data-section]") ?? null;

/** Below the sticky top bar. */
const topOfView = 64;

const inView = () => sections().find((section) => section.getBoundingClientRect().bottom > topOfView) ?? null;

const sectionAtHand = (): string | undefined => (focused() ?? inView())?.dataset.section;

function focusNeighbour(step: 1 | -1): void {
  const all = sections();
  const here = focused();
  const next = here ? all[all.indexOf(here) + step] : inView();
  if (next) focusSection(next);
}

/** Brings a section into view and makes it the one the keys work on. */
export function focusSection(section: HTMLElement): void {
  section.focus({ preventScroll: true });
  section.scrollIntoView({ block: "nearest" });
}
