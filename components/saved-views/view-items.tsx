"use client";

import { Bookmark, BookmarkPlus, PencilLine, Pin, PinOff, Save, Trash2, User, Users } from "lucide-react";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from "#components/ui/dropdown-menu.tsx";
import type { SavedView, ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";
import type { ListViews } from "./use-list-views.ts";
import { everyOne } from "./words.ts";

const ALL = "all";

/** The views of a list and what can be done with the active one, as the content of a menu. */
export function ViewItems({ list, saved }: { list: ViewSubject; saved: ListViews }) {
  const { views, active, changed, open, openAll, update, setDialog } = saved;
  const group = (label: string, members: readonly SavedView[]) =>
    members.length === 0 ? null : (
      <>
        <DropdownMenuLabel>{label}</DropdownMenuLabel>
        {members.map(({ id, name }) => (
          <DropdownMenuRadioItem key={id} value={id}>
            <span className="truncate">{name}</span>
          </DropdownMenuRadioItem>
        ))}
      </>
    );

  return (
    <>
      <DropdownMenuRadioGroup
        value={active?.id ?? ALL}
        onValueChange={(id) => {
          const view = views.find((each) => each.id === id);
          if (view) open(view);
          else openAll();
        }}
      >
        <DropdownMenuRadioItem value={ALL}>{everyOne[list]}</DropdownMenuRadioItem>
        {group(
          "Shared",
          views.filter(({ shared }) => shared),
        )}
        {group(
          "Only mine",
          views.filter(({ shared }) => !shared),
        )}
      </DropdownMenuRadioGroup>
      <DropdownMenuSeparator />
      {active && changed ? (
        <>
          <DropdownMenuItem data-writes onSelect={() => update(active)}>
            <Save aria-hidden="true" /> <span className="truncate">Update {active.name}</span>
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => open(active)}>
            <Bookmark aria-hidden="true" /> Back to the saved view
          </DropdownMenuItem>
        </>
      ) : null}
      <DropdownMenuItem data-writes onSelect={() => setDialog("save")}>
        <BookmarkPlus aria-hidden="true" /> Save as a new view…
      </DropdownMenuItem>
      {active ? (
        <>
          <DropdownMenuSeparator />
          <ActiveViewItems active={active} saved={saved} />
        </>
      ) : null}
    </>
  );
}

/** What can be done with the active view. */
function ActiveViewItems({ active, saved }: { active: SavedView; saved: ListViews }) {
  return (
    <>
      <DropdownMenuItem data-writes onSelect={() => saved.setDialog("rename")}>
        <PencilLine aria-hidden="true" /> Rename…
      </DropdownMenuItem>
      <DropdownMenuItem
        data-writes
        onSelect={() =>
          void saved.changeNow(
            active,
            { shared: !active.shared },
            active.shared ? `Only you see ${active.name} now.` : `Everyone here sees ${active.name} now.`,
          )
        }
      >
        {active.shared ? <User aria-hidden="true" /> : <Users aria-hidden="true" />}
        {active.shared ? "Keep to myself" : "Share with the workspace"}
      </DropdownMenuItem>
      <DropdownMenuItem
        data-writes
        onSelect={() =>
          void saved.changeNow(
            active,
            { pinned: !active.pinned },
            active.pinned ? `${active.name} is removed from the sidebar.` : `${active.name} is pinned to the sidebar.`,
          )
        }
      >
        {active.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {active.pinned ? "Remove from the sidebar" : "Pin to the sidebar"}
      </DropdownMenuItem>
      <DropdownMenuItem data-writes tone="danger" onSelect={() => void saved.drop(active)}>
        <Trash2 aria-hidden="true" /> Delete
      </DropdownMenuItem>
    </>
  );
}
