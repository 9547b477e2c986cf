"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { listTestOf, takesValue, textOfListTest } from "./property-test.ts";
import { severalTests, TestSelect } from "./several-editor.tsx";

const RecordPicker = onDemand(
  "The list of records",
  () => import("./record-picker.tsx").then((module) => module.RecordPicker),
  { loading: <Skeleton className="h-40 w-full" /> },
);

type CompanyEditorProps = { workspaceId: string; value: string; onValue: (value: string) => void };

/** Picks a company, or one more beside those picked before; picking one of these again removes it. */
export function CompanyEditor({ workspaceId, value, onValue }: CompanyEditorProps) {
  const started = listTestOf(value);
  const [test, setTest] = useState(started.test);

  function pick(id: string) {
    const others = started.values.filter((each) => each !== id);
    const values = others.length < started.values.length ? others : [...others, id];
    onValue(textOfListTest({ test, values: values.length > 0 ? values : [id] }));
  }

  return (
    <div className="flex flex-col gap-3">
      <RecordPickerOrNot takes={takesValue(test)} workspaceId={workspaceId} onPick={pick} />
      <TestSelect tests={severalTests(true)} test={test} onTest={setTest} />
      {!takesValue(test) || (started.values.length > 0 && test !== started.test) ? (
        <Button
          variant="primary"
          className="self-end"
          onClick={() => onValue(textOfListTest({ test, values: started.values }))}
        >
          Apply
        </Button>
      ) : null}
    </div>
  );
}

type PickerProps = { takes: boolean; workspaceId: string; onPick: (id: string) => void };

const RecordPickerOrNot = ({ takes, workspaceId, onPick }: PickerProps) =>
  takes ? (
    <RecordPicker workspaceId={workspaceId} types={["company"]} label="Company" onPick={({ id }) => onPick(id)} />
  ) : null;
