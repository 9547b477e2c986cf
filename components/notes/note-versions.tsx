"use client";

import { useQueries } from "@tanstack/react-query";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { WordDiff } from "#components/records/word-diff.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { type Note, noteCallsOf, notesKey } from "./calls.ts";

type NoteVersionsProps = { workspaceId: string; versions: Note["versions"] };

/** Longer texts are shown without their differences, which would take too long to find. */
const COMPARED = 30_000;

/** Every version of a note, the current one first, each compared with the one it replaced. */
export function NoteVersions({ workspaceId, versions }: NoteVersionsProps) {
  const contents = useQueries({
    queries: versions.map(({ id }) => ({
      queryKey: [...notesKey(workspaceId), "note", id, "content"],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await noteCallsOf(workspaceId).get(id, signal)).note.content,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  return (
    <ol aria-label="Versions">
      {versions.map((version, index) => {
        const content = contents[index];
        const before = contents[index + 1]?.data;
        return (
          <li key={version.id} className="border-b py-4 first:pt-0 last:border-b-0">
            <p className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium">{version.author ?? sourceWords(version.source)}</span>
              <span className="text-muted-foreground text-sm">
                <RelativeTime value={version.created_at} />
              </span>
              {version.current ? <Badge tone="success">Current</Badge> : <Badge>Replaced</Badge>}
            </p>
            {content?.isPending ? (
              <Loading label="Loading the version" className="pt-2">
                <SkeletonText lines={3} />
              </Loading>
            ) : null}
            {content ? <LoadProblem title="The version could not be loaded" query={content} className="px-0" /> : null}
            {content?.data === undefined ? null : <Version content={content.data} before={before} />}
          </li>
        );
      })}
    </ol>
  );
}

function Version({ content, before }: { content: string; before: string | undefined }) {
  const compared = before !== undefined && before.length + content.length <= COMPARED;
  if (compared) return <WordDiff before={before} after={content} className="mt-2" />;
  return <p className="wrap-anywhere mt-2 whitespace-pre-wrap">{content}</p>;
}
