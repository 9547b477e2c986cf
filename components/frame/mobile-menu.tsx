"use client";

import { Sheet, SheetContent } from "#components/ui/sheet.tsx";
import type { FrameProps } from "./frame.ts";
import { Sidebar } from "./sidebar.tsx";

type MobileMenuProps = Omit<FrameProps, "user"> & { open: boolean; onClose: () => void };

/** The sidebar below 768 px. */
export function MobileMenu({ open, onClose, workspace, workspaces }: MobileMenuProps) {
  return (
    <Sheet open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <SheetContent side="left" title="Menu" hideHeader className="w-64 bg-sidebar">
        <Sidebar workspace={workspace} workspaces={workspaces} onNavigate={onClose} />
      </SheetContent>
    </Sheet>
  );
}
