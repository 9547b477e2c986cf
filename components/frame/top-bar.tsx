"use client";

import { BookOpenText, CircleHelp, Menu, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { ThemeToggle } from "#components/ui/theme-toggle.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { FrameProps } from "./frame.ts";
import { guideHref, guideTo } from "./guide.ts";
import { showPanel } from "./panels.ts";
import { UserMenu } from "./user-menu.tsx";

export function TopBar({ workspace, user }: Pick<FrameProps, "workspace" | "user">) {
  return (
    <header className="sticky top-0 z-20 flex h-12 shrink-0 items-center gap-1 border-b bg-background px-2 md:px-4">
      <IconButton
        label="Menu"
        side="bottom"
        aria-haspopup="dialog"
        onClick={() => showPanel("menu")}
        className="md:hidden"
      >
        <Menu aria-hidden="true" />
      </IconButton>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => showPanel("palette")}
        className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 text-muted-foreground transition-colors hover:bg-hover md:w-72 md:border md:border-input md:bg-card"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">Search</span>
        <Kbd keys="/" className="ml-auto max-md:hidden" />
      </button>
      <div className="ml-auto flex items-center gap-1">
        {user.readsOnly ? <ReadsOnly /> : null}
        <GuideLink />
        <IconButton
          label="Help and shortcuts"
          shortcut="?"
          side="bottom"
          aria-haspopup="dialog"
          onClick={() => showPanel("help")}
          className="max-md:hidden"
        >
          <CircleHelp aria-hidden="true" />
        </IconButton>
        <ThemeToggle />
        <UserMenu user={user} workspaceId={workspace.id} />
      </div>
    </header>
  );
}

/** Says why a viewer finds nothing to change. */
const ReadsOnly = () => (
  <Tooltip
    content="You can read everything here and change nothing. An owner or admin can change your role."
    side="bottom"
  >
    <button type="button" className="mr-1 cursor-help rounded-xs">
      <Badge>Viewer</Badge>
    </button>
  </Tooltip>
);

/** To the page of the guide that explains this one. */
function GuideLink() {
  const entry = guideTo(usePathname());
  const label = `Guide: ${entry.title}`;
  return (
    <Tooltip content={label} side="bottom">
      <Button variant="ghost" size="icon" asChild>
        <a href={guideHref(entry)} target="_blank" rel="noreferrer" aria-label={label}>
          <BookOpenText aria-hidden="true" />
        </a>
      </Button>
    </Tooltip>
  );
}
