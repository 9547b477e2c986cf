"use client";

import { Bookmark, BookmarkPlus, ChevronDown, Layers } from "lucide-react";
import { useRef } from "react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";
import type { ListViews } from "./use-list-views.ts";
import { everyOne } from "./words.ts";

const ViewDialog = onDemand("“Save view”", () => import("./view-dialog.tsx").then((module) => module.ViewDialog));

const ViewItems = onDemand("The views", () => import("./view-items.tsx").then((module) => module.ViewItems), {
  loading: <Skeleton className="h-40 w-48" />,
});

/** Which saved view the list shows, and all actions on views. */
export function ViewsMenu({ list, saved }: { list: ViewSubject; saved: ListViews }) {
  const { views, active, changed, here, open, mark, save, change } = saved;
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
    {
      id: "view-save",
      label: "Save as a view",
      group: "Views",
      icon: BookmarkPlus,
      writes: true,
      run: () => setDialog("save"),
    },
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
          <ViewItems list={list} saved={saved} />
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

/** Saves what the list shows now, when no view shows the same. */
export function SaveViewButton({ saved }: { saved: ListViews }) {
  const { active, changed, update, setDialog } = saved;
  if (!changed) return null;
  return (
    <Button
      data-writes
      variant="ghost"
      className="max-list:hidden"
      onClick={() => (active ? update(active) : setDialog("save"))}
    >
      {active ? "Update view" : "Save view"}
    </Button>
  );
}
