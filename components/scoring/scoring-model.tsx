"use client";

import { Plus, Sparkles, Target } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { type Settings, useModel } from "./calls.ts";
import { builderWords } from "./draft.ts";
import { ModelVersions } from "./model-versions.tsx";
import { ScorePreview } from "./score-preview.tsx";
import { SignalRow } from "./signal-row.tsx";
import { type ModelForm, useModelForm } from "./use-model-form.ts";

/** The scoring model: built from the GTM profile, edited signal by signal, and previewed before it is saved. */
export function ScoringModel({ workspaceId, initial }: { workspaceId: string; initial: Settings }) {
  const query = useModel(workspaceId, initial);
  const settings = query.data;
  const form = useModelForm(workspaceId, settings);
  const { model } = settings;
  const isEmpty = form.drafts.length === 0 && !form.isChanged;
  return (
    <>
      <Card aria-labelledby="scoring-model">
        <CardHeader
          titleId="scoring-model"
          title="ICP scoring model"
          aside={model ? <Badge>Version {model.version}</Badge> : null}
          description="What makes a person a good customer, and how much each thing counts. Every score follows from it."
          actions={isEmpty ? null : <BuildButton form={form} />}
        />
        <LoadProblem
          title="The model could not be refreshed"
          query={query}
          note="What you see may be out of date."
          className="border-t"
        />
        {isEmpty ? (
          <EmptyState
            icon={<Target />}
            action={
              <div className="flex flex-wrap justify-center gap-2">
                <BuildButton form={form} primary />
                <Button data-writes onClick={form.add}>
                  <Plus aria-hidden="true" /> Add a signal
                </Button>
              </div>
            }
          >
            Build it from your GTM profile: titles, industries, company sizes, places and who you do not sell to become
            signals that you can change.
          </EmptyState>
        ) : (
          <Signals form={form} />
        )}
        <CardBody className="flex flex-col gap-3 empty:hidden">
          <Failure form={form} workspaceId={workspaceId} />
          {isEmpty ? null : <Buttons form={form} />}
        </CardBody>
        {model ? <Standing settings={settings} /> : null}
      </Card>
      {form.isChanged && Object.keys(form.problems).length === 0 ? (
        <ScorePreview workspaceId={workspaceId} preview={form.preview} />
      ) : null}
      {model ? <ModelVersions workspaceId={workspaceId} current={model.version} onRestore={form.restore} /> : null}
    </>
  );
}

function BuildButton({ form, primary = false }: { form: ModelForm; primary?: boolean }) {
  return (
    <Button
      data-writes
      size={primary ? "md" : "sm"}
      variant={primary ? "primary" : "secondary"}
      loading={form.busy === "building"}
      disabled={form.busy !== null}
      onClick={() => void form.build()}
    >
      <Sparkles aria-hidden="true" /> Build from GTM profile
    </Button>
  );
}

function Signals({ form }: { form: ModelForm }) {
  const { data } = form.preview;
  const reach = new Map(
    data?.signals.map(({ key, met, known }) => [key, { met, known, examined: data.examined }] as const),
  );
  return (
    <>
      {form.notes ? (
        <div role="status" className="flex flex-col gap-1 border-t bg-muted/30 px-4 py-3 text-sm">
          <p className="font-medium">{builderWords[form.notes.builder]}. Nothing is saved yet.</p>
          {form.notes.notes.length > 0 ? (
            <ul className="list-disc pl-5 text-muted-foreground">
              {form.notes.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
      <ul ref={form.list} data-writes="shown" aria-label="Signals">
        {form.drafts.map((signal) => (
          <SignalRow
            key={signal.id}
            signal={signal}
            reach={reach.get(signal.key)}
            problem={form.problems[signal.id]}
            onChange={(change) => form.change(signal.id, change)}
            onRemove={() => form.remove(signal.id)}
          />
        ))}
      </ul>
      <div className="border-t px-4 py-2">
        <Button data-writes size="sm" onClick={form.add}>
          <Plus aria-hidden="true" /> Add a signal
        </Button>
      </div>
    </>
  );
}

function Failure({ form, workspaceId }: { form: ModelForm; workspaceId: string }) {
  const { failure } = form;
  return (
    <p role="alert" className="text-danger-text text-sm empty:hidden">
      {failure?.message}
      {failure?.noProfile ? (
        <>
          {" "}
          <Link href={`/${workspaceId}/gtm-context?edit=icp`} className="rounded-xs underline">
            Write the ICP
          </Link>
        </>
      ) : null}
    </p>
  );
}

function Buttons({ form }: { form: ModelForm }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        data-writes
        variant="primary"
        loading={form.busy === "saving"}
        disabled={!form.isChanged || form.drafts.length === 0 || form.busy !== null}
        onClick={() => void form.save()}
      >
        Save model
      </Button>
      {form.isChanged && form.busy === null ? (
        <Button variant="ghost" onClick={form.settle}>
          Discard changes
        </Button>
      ) : null}
      {form.drafts.length === 0 ? (
        <span className="text-muted-foreground text-sm">A model needs at least one signal.</span>
      ) : null}
    </div>
  );
}

function Standing({ settings }: { settings: Settings }) {
  const { model } = settings;
  if (!model) return null;
  return (
    <CardFooter className="flex-wrap justify-between gap-x-4">
      <span>
        {builderWords[model.builder]}, saved <RelativeTime value={model.created_at} />
      </span>
      <span role="status">
        {model.finished_at
          ? `${numeral(model.scored)} scored, ${numeral(model.changed)} moved`
          : `Scoring everyone: ${numeral(model.scored)} so far`}
      </span>
    </CardFooter>
  );
}
