import { ArrowRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

type MoverProps = {
  workspaceId: string;
  entityId: string;
  name: string;
  why: ReactNode;
  before: ReactNode;
  after: ReactNode;
};

/** Who would move in a preview, why, and from what to what. */
export const Mover = ({ workspaceId, entityId, name, why, before, after }: MoverProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-2 first:border-t-0">
    <div className="min-w-48 flex-1">
      <Link
        href={`/${workspaceId}/accounts/${entityId}`}
        prefetch={false}
        className="wrap-anywhere rounded-xs font-medium hover:underline"
      >
        {name}
      </Link>
      <p className="text-pretty text-muted-foreground text-sm">{why}</p>
    </div>
    <span className="flex items-center gap-1.5">
      {before}
      <ArrowRight aria-label="to" className="size-3.5 text-muted-foreground" />
      {after}
    </span>
  </li>
);
