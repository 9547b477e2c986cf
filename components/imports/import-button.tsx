import { Upload } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import type { ImportKind } from "#lib/domain/workspace/imports/contract.ts";

/** Leads to the imports of a list. */
export function ImportButton({ workspaceId, kind }: { workspaceId: string; kind: ImportKind }) {
  return (
    <Button data-writes asChild>
      <Link href={`/${workspaceId}/imports?kind=${kind}`} prefetch={false}>
        <Upload aria-hidden="true" /> Import
      </Link>
    </Button>
  );
}
