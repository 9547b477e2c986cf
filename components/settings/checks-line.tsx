import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { Badge } from "#components/ui/badge.tsx";
import type { Checks } from "#lib/domain/workspace/checks/contract.ts";
import { checkLooks, worstFirst } from "./check-words.ts";

/** On Home: that something needs a look, with the worst of it. */
export function ChecksLine({ workspaceId, checks: { checks } }: { workspaceId: string; checks: Checks }) {
  const open = worstFirst(checks).filter(({ state }) => state !== "fine");
  const [worst] = open;
  if (!worst) return null;
  const { label, tone } = checkLooks[worst.state];
  return (
    <div className="group/step relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover/60">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={`/${workspaceId}/settings/checks`} className="font-medium after:absolute after:inset-0">
            {open.length === 1 ? "A check needs a look" : `${open.length} checks need a look`}
          </Link>
          <Badge tone={tone} dot>
            {label}
          </Badge>
        </div>
        <p className="text-pretty text-muted-foreground text-sm">{worst.says}</p>
      </div>
      <ArrowRight aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
    </div>
  );
}
