import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { moveWithUndo } from "#components/records/moved.ts";
import { wordsOf } from "#components/records/names.ts";
import { isStage, type Stage } from "#components/records/stages.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import type { MakeChange } from "#components/records/use-optimistic.ts";
import { counted } from "#components/ui/numbers.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import { type Account, accountKey, type Calls, type MergeFields, mergeCallsOf } from "./calls.ts";
import { ownerChange } from "./owner.ts";

type Options = { workspaceId: string; account: Account; calls: Calls; change: MakeChange<Account> };

/** The changes a reader can make to a record; each is shown at once and can be undone. */
export function useChanges({ workspaceId, account, calls, change }: Options) {
  const client = useQueryClient();
  const router = useRouter();
  const key = accountKey(workspaceId, account.entity_id);
  const lists = ["people", "companies", "duplicates", "record-picker"];

  async function refresh(): Promise<void> {
    for (const list of lists) void client.invalidateQueries({ queryKey: [list, workspaceId] });
    await client.invalidateQueries({ queryKey: key });
  }

  async function attempt(fields: Partial<Account>, call: () => Promise<unknown>): Promise<boolean> {
    const done = await change({ show: (account) => ({ ...account, ...fields }), call });
    if (done) await refresh();
    return done;
  }

  const move = (stage: Stage) =>
    attempt({ pipeline_stage: stage }, () => calls.changePerson({ pipeline_stage: stage }));
  const setStatus = (status: "active" | "archived") =>
    attempt({ status }, () =>
      account.type === "company" ? calls.changeCompany({ status }) : calls.changePerson({ status }),
    );

  /** Makes a record that was merged into this one its own again. Throws when it is refused. */
  async function unmerge(mergeId: string): Promise<void> {
    const { restored } = await mergeCallsOf(workspaceId).unmerge(mergeId);
    await refresh();
    toast.success("Merge undone.", {
      action: {
        label: `Open ${restored.name ?? "the other"}`,
        onClick: () => router.push(`/${workspaceId}/accounts/${restored.entity_id}`),
      },
    });
  }

  return {
    refresh,
    unmerge,
    setOwner: ownerChange(account, calls, attempt),
    setStage: (stage: Stage): Promise<void> =>
      moveWithUndo({ name: account.name, before: stageOf(account), stage, set: move }),
    async setArchived(archived: boolean): Promise<void> {
      if (await setStatus(archived ? "archived" : "active"))
        toastWithUndo(
          `${account.name} ${archived ? "archived" : "restored"}`,
          async () => void (await setStatus(archived ? "active" : "archived")),
        );
    },
    /** Records that a fact was checked now and still holds. */
    async confirm(property: string): Promise<void> {
      const { [property]: claim, ...others } = account.claims;
      if (!claim) return;
      const { conflicts: _, ...settled } = claim;
      const now = { ...settled, freshness: "fresh", last_observed_at: new Date().toISOString() } as const;
      if (await attempt({ claims: { ...others, [property]: now } }, () => calls.confirm(property)))
        toast.success(`${wordsOf(property)} confirmed.`);
    },
    /**
     * Throws when it is refused; the dialog says why. Nothing about the person stays in the browser, not even their
     * address in its history.
     */
    async erase(): Promise<void> {
      const { erased } = await calls.erase();
      router.replace(`/${workspaceId}/people`);
      client.removeQueries({ queryKey: key });
      void client.invalidateQueries({ refetchType: "none" });
      router.refresh();
      const { observations, notes } = erased;
      toast.success(
        `${account.name} is erased, with ${counted(observations, "observation")} and ${counted(notes, "note")}.`,
      );
    },
    /** Throws when it is refused; the dialog says why. */
    async merge(keep: string, drop: string, fields: MergeFields): Promise<void> {
      const calls = mergeCallsOf(workspaceId);
      const merged = await calls.merge(keep, drop, fields);
      const mergeId = merged.merge_id;
      await refresh();
      if (keep !== account.entity_id) router.push(`/${workspaceId}/accounts/${keep}`);
      toastWithUndo(
        `${merged.drop.name ?? "The record"} is now part of ${merged.keep.name ?? "this one"}`,
        async () => {
          if (mergeId !== null) await unmerge(mergeId).catch(toastProblem);
        },
        { duration: 20_000 },
      );
    },
  };
}

const stageOf = ({ pipeline_stage: stage }: Account): Stage => (isStage(stage) ? stage : "identified");
