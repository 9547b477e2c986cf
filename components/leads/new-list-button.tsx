"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, type ButtonProps } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { createList } from "./calls.ts";
import { listsKey } from "./use-lists.ts";

const NameDialog = onDemand("“New list”", () => import("./name-dialog.tsx").then((module) => module.NameDialog));

export function NewListButton({
  workspaceId,
  variant = "primary",
}: { workspaceId: string } & Pick<ButtonProps, "variant">) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const client = useQueryClient();
  return (
    <>
      <Button data-writes variant={variant} onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" /> New list
      </Button>
      {open ? (
        <NameDialog
          title="New list"
          submit="Create list"
          onName={async (name) => {
            const { id } = await createList(workspaceId, name);
            void client.invalidateQueries({ queryKey: listsKey(workspaceId) });
            router.push(`/${workspaceId}/leads/${id}`);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
