import { useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useCommands } from "#components/frame/commands.ts";
import { problemOf } from "#components/records/problem.ts";
import { toast } from "#components/ui/toaster.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { type Changes, changesKey, useApprove } from "./calls.ts";
import { type ApprovalGroup, isDecidedTogether } from "./groups.ts";
import { failureOf, isFinal, resultOfMany, secretIn } from "./words.ts";

/**
 * Which change is open, and the decisions about it, or about all of its group, by mouse and by key. `decides`: whether the reader
 * decides at all.
 */
export function useDeciding(workspaceId: string, groups: readonly ApprovalGroup[], decides: boolean) {
  const place = usePlace(groups);
  const { opened } = place;
  const [always, setAlways] = useState<string | null>(null);
  const [wished, setWished] = useState<readonly Approval[] | null>(null);
  const [asking, setAsking] = useState<readonly Approval[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const approving = useApprove(workspaceId);
  const queries = useQueryClient();

  const close = () => {
    setWished(null);
    setAsking(null);
  };
  const done = (decided: readonly Approval[]) => {
    close();
    place.goPast(decided);
  };
  const runOne = async (approval: Approval) => {
    try {
      const { status, result } = await approving.mutateAsync({ id: approval.id, always: always === approval.id });
      if (status === "failed")
        toast.error("It was approved, but could not be done.", { description: failureOf(result) });
      else toast.success("Approved and done.", { description: approval.summary });
      done([approval]);
      setSecret(secretIn(result));
    } catch (error) {
      close();
      toast.error("It could not be approved.", { description: problemOf(error).message });
    }
  };
  const runMany = async (approvals: readonly Approval[]) => {
    const failures: string[] = [];
    for (const { id } of approvals)
      try {
        const { status, result } = await approving.mutateAsync({ id, always: false });
        if (status === "failed") failures.push(failureOf(result));
      } catch (error) {
        failures.push(problemOf(error).message);
      }
    const { message, description } = resultOfMany(approvals.length, failures);
    if (failures.length > 0) toast.error(message, { description });
    else toast.success(message);
    done(approvals);
  };
  const run = ([first, ...more]: readonly Approval[]) =>
    first && more.length === 0 ? runOne(first) : runMany([first as Approval, ...more]);
  const approve = (approval: Approval) => {
    if (approving.isPending) return;
    if (isFinal(approval)) setAsking([approval]);
    else void runOne(approval);
  };
  const ofGroup = (act: (approvals: readonly Approval[]) => void) => () => {
    const group = groups.find(({ approvals }) => opened && approvals.includes(opened));
    if (group && decides && isDecidedTogether(group)) act(group.approvals);
  };
  useKeys({
    step: place.step,
    stepGroup: place.stepGroup,
    approveAll: ofGroup(setAsking),
    rejectAll: ofGroup(setWished),
    /** By key only what the reader can see and may decide. */
    onOpened: (act) => () => {
      const seen = opened && queries.getQueryData<Changes>(changesKey(workspaceId, opened.id));
      if (opened && seen?.may_decide) act(opened);
    },
    approve,
    reject: (approval) => setWished([approval]),
  });
  return {
    ...{
      opened,
      wished,
      asking,
      secret,
      always,
      setAlways,
      open: place.open,
      approve,
      reject: setWished,
      run,
      done,
      close,
    },
    approveAll: setAsking,
    forgetSecret: () => setSecret(null),
    busy: approving.isPending ? approving.variables.id : null,
  };
}

/** The change that is open. */
function usePlace(groups: readonly ApprovalGroup[]) {
  const waiting = groups.flatMap(({ approvals }) => approvals);
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const [focused, setFocused] = useState<string | null>(null);
  const opened = waiting.find(({ id }) => id === chosen);
  const first = waiting[0]?.id;

  // The first one is open until the reader chooses. What is open changes only by the reader's own hand after that, so
  // that a key never decides about another change than the one they look at.
  useEffect(() => {
    if (chosen === undefined && first !== undefined) setChosen(first);
  }, [chosen, first]);

  useEffect(() => {
    if (focused === null) return;
    document.getElementById(`change-${focused}`)?.focus();
    setFocused(null);
  }, [focused]);

  const go = (to: Approval | undefined) => {
    if (!to) return;
    setChosen(to.id);
    setFocused(to.id);
  };
  return {
    opened,
    open: setChosen,
    step: (by: number) => go(waiting[opened ? waiting.indexOf(opened) + by : 0]),
    /** To the first change of another group. */
    stepGroup(by: number) {
      const at = groups.findIndex(({ approvals }) => opened && approvals.includes(opened));
      go(groups[at + by]?.approvals[0]);
    },
    /** To the one after those that were decided, or before them. */
    goPast(decided: readonly Approval[]) {
      const gone = new Set(decided.map(({ id }) => id));
      const at = waiting.findIndex(({ id }) => gone.has(id));
      const stays = ({ id }: Approval) => !gone.has(id);
      go(waiting.slice(at).find(stays) ?? waiting.slice(0, at).findLast(stays));
    },
  };
}

type Keys = {
  step: (by: number) => void;
  stepGroup: (by: number) => void;
  approveAll: () => void;
  rejectAll: () => void;
  onOpened: (act: (approval: Approval) => void) => () => void;
  approve: (approval: Approval) => void;
  reject: (approval: Approval) => void;
};

function useKeys({ step, stepGroup, approveAll, rejectAll, onOpened, approve, reject }: Keys) {
  const group = "Approvals";
  useCommands([
    { id: "approval-next", label: "Next change", group, keys: "j", hidden: true, run: () => step(1) },
    { id: "approval-previous", label: "Previous change", group, keys: "k", hidden: true, run: () => step(-1) },
    { id: "approval-approve", label: "Approve the open change", group, icon: Check, keys: "a", run: onOpened(approve) },
    { id: "approval-reject", label: "Reject the open change", group, icon: X, keys: "x", run: onOpened(reject) },
    { id: "approvals-next", label: "Next group", group, keys: "shift+j", hidden: true, run: () => stepGroup(1) },
    {
      id: "approvals-previous",
      label: "Previous group",
      group,
      keys: "shift+k",
      hidden: true,
      run: () => stepGroup(-1),
    },
    { id: "approvals-approve", label: "Approve the whole group", group, icon: Check, keys: "shift+a", run: approveAll },
    { id: "approvals-reject", label: "Reject the whole group", group, icon: X, keys: "shift+x", run: rejectAll },
  ]);
}
