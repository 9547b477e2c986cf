import type { RefObject } from "react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import type { Group } from "./attention-group.tsx";

type Actions = {
  onDone: (group: Group) => void;
  onSnooze: (group: Group) => void;
  onTask: (group: Group) => void;
  onLog: (group: Group) => void;
  onReply: (group: Group) => void;
};

const GROUP = "Needs attention";

/**
 * As in an inbox: `j` and `k` move through the rows, `e` is done with one, `s` snoozes it, `t`, `l` and `r` act on it.
 * Enter opens it, since its link has the focus.
 */
export function useInboxKeys(list: RefObject<HTMLElement | null>, groups: readonly Group[], actions: Actions): void {
  const here = (): number => {
    const row = document.activeElement?.closest<HTMLElement>("[data-inbox]");
    return row ? groups.findIndex(({ entityId }) => entityId === row.dataset.inbox) : -1;
  };
  const go = (index: number) => {
    const links = list.current?.querySelectorAll<HTMLElement>("[data-inbox] [data-row-link]") ?? [];
    links[Math.max(0, Math.min(links.length - 1, index))]?.focus();
  };
  const act = (work: (group: Group) => void) => () => {
    const group = groups[here()];
    if (group) work(group);
  };
  const done = (group: Group) => {
    const index = groups.indexOf(group);
    // Before the row goes, so that the focus stays in the list.
    go(index === groups.length - 1 ? index - 1 : index + 1);
    actions.onDone(group);
  };
  const command = (keys: string, label: string, run: () => void, more: Partial<Command> = {}): Command => ({
    id: `inbox-${keys}`,
    label,
    group: GROUP,
    keys,
    hidden: true,
    run,
    ...more,
  });
  useCommands(
    groups.length === 0
      ? []
      : [
          command("j", "Next row", () => go(here() + 1)),
          command("k", "Previous row", () => go(here() - 1)),
          command("e", "Dismiss until something changes", act(done)),
          command("s", "Snooze", act(actions.onSnooze)),
          command("t", "Add a task", act(actions.onTask), { writes: true }),
          command("l", "Log an activity", act(actions.onLog), { writes: true }),
          command("r", "Draft a reply", act(actions.onReply)),
        ],
  );
}
