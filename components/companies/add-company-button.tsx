"use client";

import { Plus } from "lucide-react";
import { useAdding } from "#components/records/adding.ts";
import { Button } from "#components/ui/button.tsx";

export function AddCompanyButton() {
  const { open } = useAdding();
  return (
    <Button variant="primary" onClick={open}>
      <Plus aria-hidden="true" /> Add company
    </Button>
  );
}
