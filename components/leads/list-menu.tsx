"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type LeadList, renameList } from "./calls.ts";
import { listsKey } from "./use-lists.ts";

const NameDialog = onDemand("“Rename”", () => import("./name-dialog.tsx").then((module) => module.NameDialog));
const DeleteListDialog = onDemand("“Delete”", () =>
  import("./delete-list-dialog.tsx").then((module) => module.DeleteListDialog),
);

type ListMenuProps = {
  workspaceId: string;
  list: LeadList;
  onRenamed?: (list: LeadList) => void;
  onDeleted?: () => void;
};

/** What can be done with a list. */
export function ListMenu({ workspaceId, list, onRenamed, onDeleted }: ListMenuProps) {
  const [wish, setWish] = useState<"rename" | "delete" | null>(null);
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: listsKey(workspaceId) });
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            data-writes
            variant="ghost"
            size="icon"
            aria-label={`Actions for ${list.name}`}
            className="relative z-1"
          >
            <Ellipsis aria-hidden="true" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => setWish("rename")}>
            <PencilLine aria-hidden="true" /> Rename…
          </DropdownMenuItem>
          <DropdownMenuItem tone="danger" onSelect={() => setWish("delete")}>
            <Trash2 aria-hidden="true" /> Delete…
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {wish === "rename" ? (
        <NameDialog
          title="Rename list"
          submit="Rename"
          initial={list.name}
          onName={async (name) => {
            const renamed = await renameList(workspaceId, list.id, name);
            onRenamed?.(renamed);
            await refresh();
          }}
          onClose={() => setWish(null)}
        />
      ) : null}
      {wish === "delete" ? (
        <DeleteListDialog
          workspaceId={workspaceId}
          list={list}
          onDeleted={() => {
            onDeleted?.();
            void refresh();
          }}
          onClose={() => setWish(null)}
        />
      ) : null}
    </>
  );
}
