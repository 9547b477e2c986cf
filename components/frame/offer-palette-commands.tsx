"use client";

import { usePathname } from "next/navigation";
import { useTheme } from "next-themes";
import { useLookAround } from "#components/sample-data/use-look-around.ts";
import { usePinnedViews } from "#components/saved-views/pinned.ts";
import { useLastAction } from "#components/ui/toaster.tsx";
import { useCommands } from "./commands.ts";
import type { FrameProps } from "./frame.ts";
import { useBelonging } from "./here.ts";
import { paletteCommands } from "./palette-commands.ts";

type PaletteCommandsProps = Omit<FrameProps, "user"> & {
  open: boolean;
  go: (href: string, what: string) => void;
};

/** Offers what only the palette does; loaded and rendered from its first opening on. */
export function PaletteCommands({ workspace, workspaces, open, go }: PaletteCommandsProps): null {
  const pathname = usePathname();
  const belonging = useBelonging();
  const { setTheme } = useTheme();
  const views = usePinnedViews(workspace.id);
  const last = useLastAction();
  const lookAround = useLookAround(workspace.id, (href) => go(href, "Home"), open);
  useCommands(
    paletteCommands({
      workspace,
      workspaces,
      pathname,
      belonging,
      views,
      go,
      setTheme,
      last,
      lookAround: lookAround && (() => void lookAround()),
    }),
  );
  return null;
}
