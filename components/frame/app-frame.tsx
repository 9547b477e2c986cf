import type { ReactNode } from "react";
import { Live } from "#components/live/live.tsx";
import type { PinnedView } from "#components/saved-views/pinned.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import type { FrameProps } from "./frame.ts";
import { FrameCommands } from "./frame-commands.tsx";
import { PendingPage } from "./pending-page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

export type AppFrameProps = FrameProps & {
  /** The place in the live stream when the server rendered this; null: the reader may not follow it. */
  since: string | null;
  /** How many changes wait for approval. */
  pending: number;
  /** The views in the sidebar. */
  pinned: readonly PinnedView[];
  children: ReactNode;
};

/** Around every page of a workspace. The document itself scrolls, so the browser's back button finds its place again. */
export function AppFrame({ workspace, workspaces, user, since, pending, pinned, children }: AppFrameProps) {
  return (
    <div
      data-reads-only={user.readsOnly ? "" : undefined}
      className="flex min-h-dvh [--sticky-top:3rem] has-data-banner:[--sticky-top:5.75rem]"
    >
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md border bg-popover px-3 py-1.5 font-medium focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="sticky top-0 hidden h-dvh w-56 shrink-0 border-r bg-sidebar md:block">
        <Sidebar workspace={workspace} workspaces={workspaces} pending={pending} pinned={pinned} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar workspace={workspace} user={user} />
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="flex-1 px-4 py-5 outline-none md:px-8 md:py-6">
          {children}
        </main>
      </div>
      <PendingPage />
      {since === null ? null : <Live key={workspace.id} workspaceId={workspace.id} rendered={since} />}
      <FrameCommands workspace={workspace} workspaces={workspaces} user={user} />
    </div>
  );
}
