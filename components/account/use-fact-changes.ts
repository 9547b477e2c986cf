import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "#components/api.ts";
import { wordsOf } from "#components/records/names.ts";
import { attempt } from "#components/records/optimistic.ts";
import { type Problem, problemOf } from "#components/records/problem.ts";
import { toastSettled } from "#components/records/settled.ts";
import { isStage } from "#components/records/stages.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { Account, Calls, ClaimView, IdentifierKind } from "./calls.ts";
import type { FactValue } from "./fact-kinds.ts";
import { recordKey } from "./use-account.ts";
import { employersOf, valueWords } from "./value-words.ts";

type Options = { workspaceId: string; account: Account; calls: Calls; refresh: () => Promise<void> };

/** What a reader says about a record: facts and identifiers. Each is shown at once; a refusal comes back as a problem. */
export function useFactChanges({ workspaceId, account, calls, refresh }: Options) {
  const client = useQueryClient();
  const scope = { queryKey: recordKey(workspaceId, account.entity_id, null), exact: true };

  async function tell(show: (account: Account) => Account, call: () => Promise<unknown>): Promise<Problem | null> {
    try {
      await attempt<Account, unknown>(client, scope, { show, call });
    } catch (error) {
      return refusalOf(error);
    }
    await refresh();
    return null;
  }

  const state = (property: string, value: FactValue) =>
    tell(
      (shown) => withFact(shown, property, value),
      () => calls.state(property, value),
    );

  async function undo(work: () => Promise<Problem | null>): Promise<void> {
    const problem = await work();
    if (problem) toast.error(problem.message);
  }

  const add = (kind: IdentifierKind, value: string, primary: boolean) =>
    tell(
      (shown) => ({ ...shown, identifiers: withIdentifier(shown.identifiers, { kind, value }, primary) }),
      () => calls.addIdentifier(kind, value, primary),
    );
  const remove = (kind: IdentifierKind, value: string) =>
    tell(
      (shown) => ({ ...shown, identifiers: without(shown.identifiers, { kind, value }) }),
      () => calls.removeIdentifier(kind, value),
    );

  return {
    /** Records a value as what the reader says. Null: it is done. */
    async setFact(property: string, value: FactValue): Promise<Problem | null> {
      const before = account.claims[property]?.value;
      const problem = await state(property, value);
      if (problem) return problem;
      const words = `${wordsOf(property)} ${before === undefined ? "added" : "changed"}`;
      toastWithUndo(words, () => undo(() => state(property, before ?? null)));
      return null;
    },
    /** Settles a dispute for a value: the present one or one that disagrees. */
    async settleFact(property: string, value: FactValue): Promise<void> {
      const before = account.claims[property];
      let said = "";
      const problem = await tell(
        (shown) => withFact(shown, property, value),
        async () => {
          ({
            observation_ids: [said = ""],
          } = await calls.state(property, value));
        },
      );
      if (problem) return void toast.error(problem.message);
      const open = (shown: Account) => (before ? { ...shown, claims: { ...shown.claims, [property]: before } } : shown);
      toastSettled<FactValue>({
        ...{ property, value, before: before?.value ?? null },
        wordsOf: (each) => valueWords(property, each, employersOf(account)),
        undo: () => undo(() => tell(open, () => calls.withdraw(said))),
      });
    },
    /** Ends a fact that is wrong. */
    async endFact(property: string): Promise<void> {
      const before = account.claims[property]?.value;
      if (before === undefined) return;
      const problem = await state(property, null);
      if (problem) toast.error(problem.message);
      else toastWithUndo(`${wordsOf(property)} marked as wrong`, () => undo(() => state(property, before)));
    },
    async addIdentifier(kind: IdentifierKind, value: string): Promise<Problem | null> {
      const problem = await add(kind, value, false);
      if (problem === null) toast.success(`${wordsOf(kind)} added.`);
      return problem;
    },
    async preferIdentifier(kind: IdentifierKind, value: string): Promise<void> {
      const before = account.identifiers.find((one) => one.kind === kind);
      const problem = await add(kind, value, true);
      if (problem) toast.error(problem.message);
      else
        toastWithUndo(`${value} is now the primary one`, () =>
          before ? undo(() => add(kind, before.value, true)) : undefined,
        );
    },
    async removeIdentifier(kind: IdentifierKind, value: string): Promise<void> {
      const wasPrimary = account.identifiers.find((one) => one.kind === kind)?.value === value;
      const problem = await remove(kind, value);
      if (problem) toast.error(problem.message);
      else toastWithUndo(`${value} removed`, () => undo(() => add(kind, value, wasPrimary)));
    },
  };
}

export type FactChanges = ReturnType<typeof useFactChanges>;

function refusalOf(error: unknown): Problem {
  const problem = problemOf(error);
  if (error instanceof ApiError && error.code === "identifier_conflict")
    return { ...problem, message: "Another record has this. If they are the same, merge the two." };
  // The reader sent one value, not a list.
  return { ...problem, message: problem.message.replace(/^observations\[0\]: (.)/, (_, first) => first.toUpperCase()) };
}

/** The record once a fact is as said. */
function withFact(account: Account, property: string, value: FactValue): Account {
  const { [property]: before, ...others } = account.claims;
  const staged = property === "pipeline_stage" && isStage(value) ? { pipeline_stage: value } : {};
  if (value === null) return { ...account, claims: others };
  const claim: ClaimView = {
    property,
    value,
    confidence: 0.95,
    freshness: "fresh",
    epistemic_class: "asserted",
    source: "manual",
    observation_count: (before?.observation_count ?? 0) + 1,
    last_observed_at: new Date().toISOString(),
  };
  return { ...account, ...staged, claims: { ...others, [property]: claim } };
}

type AccountIdentifier = Account["identifiers"][number];

const without = (all: readonly AccountIdentifier[], { kind, value }: AccountIdentifier): AccountIdentifier[] =>
  all.filter((one) => one.kind !== kind || one.value !== value);

function withIdentifier(
  all: readonly AccountIdentifier[],
  named: AccountIdentifier,
  primary: boolean,
): AccountIdentifier[] {
  const rest = without(all, named);
  return primary || !rest.some(({ kind }) => kind === named.kind) ? [named, ...rest] : [...rest, named];
}
