"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowDownUp, ArrowLeft } from "lucide-react";
import { useMemo, useState } from "react";
import { shortLinkedin, wordsOf } from "#components/records/names.ts";
import { problemOf } from "#components/records/problem.ts";
import { RecordPicker } from "#components/records/record-picker.tsx";
import { useSending } from "#components/records/use-sending.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { type Account, type MergeFields, mergeCallsOf } from "./calls.ts";
import { MergeChoices } from "./merge-choices.tsx";

type MergeDialogProps = {
  workspaceId: string;
  account: Account;
  onMerge: (keep: string, drop: string, fields: MergeFields) => Promise<void>;
  onClose: () => void;
};

type Other = { id: string; name: string; detail: string };

/** Finds the other record, shows what merging would do, and does it. */
export function MergeDialog({ workspaceId, account, onMerge, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<Other | null>(null);
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title={other ? "Merge two records" : `Merge ${account.name} with…`}
        description={
          other
            ? "One record stays and gets everything from the other. You can undo it at any time in the menu of the record."
            : "The other record of the same person or company."
        }
        size="md"
      >
        {other ? (
          <Preview
            workspaceId={workspaceId}
            account={account}
            other={other}
            onBack={() => setOther(null)}
            onMerge={onMerge}
          />
        ) : (
          <DialogBody>
            <Suggestions workspaceId={workspaceId} account={account} onPick={setOther} />
            <RecordPicker
              workspaceId={workspaceId}
              types={[account.type === "company" ? "company" : "person"]}
              label="The other record"
              without={account.entity_id}
              initial={account.name}
              onPick={setOther}
            />
          </DialogBody>
        )}
      </DialogContent>
    </Dialog>
  );
}

type SuggestionsProps = { workspaceId: string; account: Account; onPick: (other: Other) => void };

/** Likely duplicates of this record, with the reason; nothing while there are none. */
function Suggestions({ workspaceId, account, onPick }: SuggestionsProps) {
  const calls = useMemo(() => mergeCallsOf(workspaceId), [workspaceId]);
  const { data } = useQuery({
    queryKey: ["duplicates", workspaceId],
    queryFn: ({ signal }) => calls.suggestions(signal),
  });
  const likely = (data?.suggestions ?? []).flatMap(({ records, detail, reason }) =>
    records.some((record) => record.entity_id === account.entity_id)
      ? records
          .filter((record) => record.entity_id !== account.entity_id)
          .map((record) => ({ id: record.entity_id, name: record.name ?? "Unnamed", detail, reason }))
      : [],
  );
  if (likely.length === 0) return null;
  return (
    <section aria-label="Likely duplicates">
      <h3 className="pb-1 text-muted-foreground text-sm">Likely the same</h3>
      <ul className="divide-y rounded-md border">
        {likely.map(({ id, name, detail, reason }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onPick({ id, name, detail })}
              className="flex min-h-10 w-full items-center gap-3 px-3 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="font-medium">{name}</span>
              <span className="min-w-0 truncate text-muted-foreground text-sm">
                {wordsOf(reason)}: {detail}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type PreviewProps = {
  workspaceId: string;
  account: Account;
  other: Other;
  onBack: () => void;
  onMerge: (keep: string, drop: string, fields: MergeFields) => Promise<void>;
};

function Preview({ workspaceId, account, other, onBack, onMerge }: PreviewProps) {
  const calls = useMemo(() => mergeCallsOf(workspaceId), [workspaceId]);
  const [swapped, setSwapped] = useState(false);
  const merging = useSending();
  const here = { id: account.entity_id, name: account.name, detail: detailOf(account) };
  const [keep, drop] = swapped ? [other, here] : [here, other];
  const preview = useQuery({
    queryKey: ["merge-preview", workspaceId, keep.id, drop.id],
    queryFn: ({ signal }) => calls.preview(keep.id, drop.id, signal),
    staleTime: 0,
  });
  const problem = preview.error ? problemOf(preview.error) : null;
  const [picked, setPicked] = useState<MergeFields>({});
  const suggested = (preview.data?.conflicts ?? []).map(({ property, suggested }) => [property, suggested] as const);
  const fields: MergeFields = { ...Object.fromEntries(suggested), ...picked };

  const merge = () => merging.send(() => onMerge(keep.id, drop.id, fields));

  return (
    <>
      <DialogBody>
        <div className="flex items-center gap-3 rounded-md border px-3 py-2">
          <dl className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            <dt className="text-muted-foreground">Stays</dt>
            <dd className="wrap-anywhere">
              <span className="font-medium">{keep.name}</span>{" "}
              <span className="text-muted-foreground text-sm">{keep.detail}</span>
            </dd>
            <dt className="text-muted-foreground">Goes into it</dt>
            <dd className="wrap-anywhere">
              <span className="font-medium">{drop.name}</span>{" "}
              <span className="text-muted-foreground text-sm">{drop.detail}</span>
            </dd>
          </dl>
          <Button
            size="sm"
            onClick={() => {
              setSwapped(!swapped);
              setPicked({});
            }}
          >
            <ArrowDownUp aria-hidden="true" /> Swap
          </Button>
        </div>
        {preview.isPending ? (
          <Loading label="Loading the preview">
            <SkeletonText lines={3} />
          </Loading>
        ) : null}
        {problem ? (
          <ErrorState title="These two cannot be merged" className="px-0" requestId={problem.requestId}>
            {problem.message}
          </ErrorState>
        ) : null}
        {preview.data ? (
          <MergeChoices
            workspaceId={workspaceId}
            preview={preview.data}
            fields={fields}
            onPick={(property, side) => setPicked({ ...picked, [property]: side })}
          />
        ) : null}
        <p role="alert" className="text-danger-text text-sm empty:hidden">
          {merging.problem?.message}
        </p>
      </DialogBody>
      <DialogFooter>
        <Button variant="ghost" className="mr-auto" onClick={onBack}>
          <ArrowLeft aria-hidden="true" /> Another record
        </Button>
        <Button variant="primary" onClick={merge} loading={merging.busy} disabled={!preview.data}>
          Merge
        </Button>
      </DialogFooter>
    </>
  );
}

/** What distinguishes this record from another of the same name. */
const detailOf = ({ identifiers }: Account): string => {
  const [first] = identifiers;
  return first ? (shortLinkedin(first.value) ?? "") : "";
};
