"use client";

import {
  Bookmark,
  BookmarkPlus,
  ChevronDown,
  Layers,
  PencilLine,
  Pin,
  PinOff,
  Save,
  Trash2,
  User,
  Users,
} from "lucide-react";
import { useRef } from "react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Listed, SavedView } from "#lib/domain/saved-views/contract.ts";
import type { ListViews } from "./use-list-views.ts";

const ViewDialog = onDemand("“Save view”", () => import("./view-dialog.tsx").then((module) => module.ViewDialog));

const ALL = "all";

/** Which saved view the list shows, and all actions on views. */
export function ViewsMenu({ list, saved }: { list: Listed; saved: ListViews }) {
  const { views, active, changed, here, open, openAll, mark, update, save, change } = saved;
  const { dialog, setDialog } = saved;
  const trigger = useRef<HTMLButtonElement>(null);

  const commands: Command[] = [
    {
      id: "views",
      label: "Choose a view",
      group: "Views",
      icon: Layers,
      keys: "v",
      run: () => {
        trigger.current?.focus();
        trigger.current?.click();
      },
    },
    { id: "view-save", label: "Save as a view", group: "Views", icon: BookmarkPlus, run: () => setDialog("save") },
    ...views.map((view) => ({
      id: `view-${view.id}`,
      label: view.name,
      detail: "view",
      group: "Views",
      icon: Bookmark,
      run: () => open(view),
    })),
  ];
  useCommands(commands);

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
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            ref={trigger}
            aria-label={`View: ${active?.name ?? everyOne[list]}${active && changed ? ", changed" : ""}`}
            className="max-w-56 max-md:max-w-44"
          >
            <Layers aria-hidden="true" />
            <span className="truncate">{active?.name ?? everyOne[list]}</span>
            {active && changed ? (
              <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-primary" />
            ) : null}
            <ChevronDown aria-hidden="true" className="text-muted-foreground" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="max-w-72">
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
              <DropdownMenuItem onSelect={() => update(active)}>
                <Save aria-hidden="true" /> <span className="truncate">Update {active.name}</span>
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={() => open(active)}>
                <Bookmark aria-hidden="true" /> Back to the saved view
              </DropdownMenuItem>
            </>
          ) : null}
          <DropdownMenuItem onSelect={() => setDialog("save")}>
            <BookmarkPlus aria-hidden="true" /> Save as a new view…
          </DropdownMenuItem>
          {active ? (
            <>
              <DropdownMenuSeparator />
              <ActiveViewItems active={active} saved={saved} />
            </>
          ) : null}
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog === "save" ? (
        <ViewDialog
          title="Save a view"
          description="Search, filters, sort and columns as they are now, under a name."
          submit="Save view"
          initial={{ name: "", shared: false }}
          onSave={async (fields) => mark(await save({ ...fields, place: here }))}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === "rename" && active ? (
        <ViewDialog
          title="Rename the view"
          submit="Rename"
          initial={active}
          onSave={({ name, shared }) => change(active, { name, shared })}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
}

/** What can be done with the active view. */
function ActiveViewItems({ active, saved }: { active: SavedView; saved: ListViews }) {
  return (
    <>
      <DropdownMenuItem onSelect={() => saved.setDialog("rename")}>
        <PencilLine aria-hidden="true" /> Rename…
      </DropdownMenuItem>
      <DropdownMenuItem
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
        onSelect={() =>
          void saved.changeNow(
            active,
            { pinned: !active.pinned },
            active.pinned ? `${active.name} is out of the sidebar.` : `${active.name} is in the sidebar.`,
          )
        }
      >
        {active.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {active.pinned ? "Take out of the sidebar" : "Pin to the sidebar"}
      </DropdownMenuItem>
      <DropdownMenuItem tone="danger" onSelect={() => void saved.drop(active)}>
        <Trash2 aria-hidden="true" /> Delete
      </DropdownMenuItem>
    </>
  );
}

/** Saves what the list shows now, when no view shows the same. */
export function SaveViewButton({ saved }: { saved: ListViews }) {
  const { active, changed, update, setDialog } = saved;
  if (!changed) return null;
  return (
    <Button variant="ghost" className="max-md:hidden" onClick={() => (active ? update(active) : setDialog("save"))}>
      {active ? "Update view" : "Save view"}
    </Button>
  );
}

const everyOne: Readonly<Record<Listed, string>> = { people: "All people", companies: "All companies" };
