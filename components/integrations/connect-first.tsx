import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

type ConnectFirstProps = { workspaceId: string; icon: ReactNode; action: string; children: ReactNode };

/** What appears here once a mailbox or calendar is connected. */
export const ConnectFirst = ({ workspaceId, icon, action, children }: ConnectFirstProps) => (
  <EmptyState
    icon={icon}
    className="px-0"
    action={
      <Button asChild data-writes>
        <Link href={`/${workspaceId}/integrations`} prefetch={false}>
          {action}
        </Link>
      </Button>
    }
  >
    {children}
  </EmptyState>
);
