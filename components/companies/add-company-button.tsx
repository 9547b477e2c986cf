"use client";

import { Plus } from "lucide-react";
import { useAdding } from "#components/records/adding.ts";
import { Button, type ButtonProps } from "#components/ui/button.tsx";

export function AddCompanyButton({ variant = "primary" }: Pick<ButtonProps, "variant">) {
  const { open } = useAdding();
  return (
    <Button data-writes variant={variant} onClick={open}>
      <Plus aria-hidden="true" /> Add company
    </Button>
  );
}
