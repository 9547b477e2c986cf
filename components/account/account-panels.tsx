"use client";

import { onDemand } from "#components/ui/on-demand.tsx";
import type { Plan } from "#lib/core/plans.ts";
import type { AccountPage } from "./account-page.ts";

const FactSheet = onDemand("The fact", () => import("./fact-sheet.tsx").then((module) => module.FactSheet));
const ScoreSheet = onDemand("The score", () => import("./score-sheet.tsx").then((module) => module.ScoreSheet));
const MergeDialog = onDemand("“Merge”", () => import("./merge-dialog.tsx").then((module) => module.MergeDialog));
const AddToListDialog = onDemand("“Add to list”", () =>
  import("#components/leads/add-to-list-dialog.tsx").then((module) => module.AddToListDialog),
);
const MergedDialog = onDemand("“Undo a merge”", () =>
  import("./merged-dialog.tsx").then((module) => module.MergedDialog),
);
const AddFactDialog = onDemand("“Add fact”", () =>
  import("./add-fact-dialog.tsx").then((module) => module.AddFactDialog),
);
const EraseDialog = onDemand("“Erase”", () => import("./erase-dialog.tsx").then((module) => module.EraseDialog));
const NoteSheet = onDemand("The note", () =>
  import("#components/notes/note-sheet.tsx").then((module) => module.NoteSheet),
);
const AddNoteDialog = onDemand("“Add note”", () =>
  import("#components/notes/add-note-dialog.tsx").then((module) => module.AddNoteDialog),
);
const AddPersonDialog = onDemand("“Add person”", () =>
  import("#components/people/add-person-dialog.tsx").then((module) => module.AddPersonDialog),
);
const LogActivityDialog = onDemand("“Log activity”", () =>
  import("./log-activity-dialog.tsx").then((module) => module.LogActivityDialog),
);

/** The sheets and dialogs that the address can open over the page. */
export function AccountPanels({ page, plan }: { page: AccountPage; plan: Plan }) {
  const { workspaceId, account, calls, changes, facts, moment, place, setPlace } = page;
  return (
    <>
      {place.fact ? (
        <FactSheet
          workspaceId={workspaceId}
          account={account}
          calls={calls}
          property={place.fact}
          moment={moment}
          onConfirm={changes.confirm}
          onSettle={moment === null ? (value) => facts.settleFact(place.fact ?? "", value) : undefined}
          onClose={() => setPlace({ fact: null })}
        />
      ) : null}
      {place.note ? (
        <NoteSheet
          workspaceId={workspaceId}
          id={place.note}
          onOpen={(note) => setPlace({ note })}
          onSaved={() => void changes.refresh()}
          onClose={() => setPlace({ note: null })}
        />
      ) : null}
      {place.open === "score" ? (
        <ScoreSheet
          workspaceId={workspaceId}
          id={account.entity_id}
          name={account.name}
          onClose={() => setPlace({ open: null })}
        />
      ) : null}
      {moment === null ? <ChangeDialog page={page} plan={plan} /> : null}
    </>
  );
}

/** Changes are always made to the current record, not to the past. */
function ChangeDialog({ page, plan }: { page: AccountPage; plan: Plan }) {
  const { workspaceId, id, account, calls, changes, isPerson, administers, place, setPlace } = page;
  const onClose = () => setPlace({ open: null });
  if (place.open === "new-note") {
    return (
      <AddNoteDialog
        workspaceId={workspaceId}
        owner={{ id, name: account.name }}
        onSaved={() => {
          void changes.refresh();
          setPlace({ tab: "notes" });
        }}
        onClose={onClose}
      />
    );
  }
  if (place.open === "new-fact") {
    return <AddFactDialog workspaceId={workspaceId} account={account} onAdd={page.facts.setFact} onClose={onClose} />;
  }
  if (place.open === "merge") {
    return (
      <MergeDialog
        workspaceId={workspaceId}
        account={account}
        onMerge={async (keep, drop, fields) => {
          await changes.merge(keep, drop, fields);
          if (keep === id) onClose();
        }}
        onClose={onClose}
      />
    );
  }
  if (place.open === "merged") {
    return (
      <MergedDialog workspaceId={workspaceId} id={id} name={account.name} onUndo={changes.unmerge} onClose={onClose} />
    );
  }
  if (place.open === "log-activity") {
    return (
      <LogActivityDialog
        workspaceId={workspaceId}
        calls={calls}
        account={account}
        onLogged={() => {
          void changes.refresh();
          setPlace({ tab: "timeline", type: null });
        }}
        onClose={onClose}
      />
    );
  }
  if (place.open === "add-to-list" && isPerson) {
    return (
      <AddToListDialog
        workspaceId={workspaceId}
        plan={plan}
        people={[id]}
        onAdded={() => void changes.refresh()}
        onClose={onClose}
      />
    );
  }
  if (place.open === "new-person" && !isPerson) {
    return (
      <AddPersonDialog
        workspaceId={workspaceId}
        employer={{ id, name: account.name }}
        onAdded={() => void changes.refresh()}
        onClose={onClose}
      />
    );
  }
  if (place.open === "erase" && isPerson && administers) {
    return <EraseDialog workspaceId={workspaceId} account={account} onErase={changes.erase} onClose={onClose} />;
  }
  return null;
}
