import { problemOf } from "#components/records/problem.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import type { Means } from "./means.ts";

/** What a reader does with the entries of the profile. */
export function entryActions({ calls, change, own, say, refresh }: Means) {
  /** Makes an old wording current again. */
  async function restore(version: Pick<EntryVersion, "id" | "content">): Promise<boolean> {
    try {
      const { fact } = await calls.restoreEntry(version.id, version.content);
      own([fact.id]);
      await refresh();
      return true;
    } catch (error) {
      toast.error(problemOf(error).message, { action: { label: "Try again", onClick: () => void restore(version) } });
      return false;
    }
  }

  return {
    restore,
    async retire(fact: EntryVersion): Promise<void> {
      const done = await change({
        show: (facts) => facts.filter(({ id }) => id !== fact.id),
        call: () => calls.retireEntry(fact.id),
      });
      void refresh();
      if (done) toastWithUndo(`${fact.category} entry retired`, async () => void (await restore(fact)));
    },
    async confirm(fact: EntryVersion): Promise<void> {
      const confirmed = {
        freshness: "fresh",
        epistemic_class: "asserted",
        last_observed_at: new Date().toISOString(),
      } as const;
      const done = await change({
        show: (facts) => facts.map((each) => (each.id === fact.id ? { ...each, ...confirmed } : each)),
        call: () => calls.confirmEntry(fact.id),
      });
      void refresh();
      if (done) say(`${fact.category} confirmed.`);
    },
  };
}
