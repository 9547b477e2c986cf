import { useCallback, useMemo, useRef } from "react";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { patchImport } from "#components/operations/imports.ts";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import type { patchImport as contract, Import } from "#lib/domain/workspace/imports/contract.ts";
import { importKey } from "./calls.ts";

type Fields = Omit<z.input<typeof contract.input>, "id">;

/** Changes how a file is imported. What is shown of a change before it is saved is `fields` applied by `show`. */
export type ChangeImport = (fields: Fields, show: Partial<Import>) => void;

/**
 * An import with the changes that are being saved. They are saved one after the other, so that the last answer is about
 * all of them.
 */
export function useImportChanges(workspaceId: string, record: Import) {
  const { id } = record;
  const scope = useMemo(() => ({ queryKey: importKey({ workspaceId, id }), exact: true }), [workspaceId, id]);
  const { shown, change } = useOptimistic<Import>(scope, record);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const patch: ChangeImport = useCallback(
    (fields, show) =>
      void change({
        show: (before) => ({ ...before, ...show, check: null }),
        call: () => {
          const saved = last.current.then(() => callOperation(patchImport, workspaceId, { id, ...fields }));
          last.current = saved.catch(() => undefined);
          return saved;
        },
        settle: (_, answer) => answer.import,
      }),
    [change, workspaceId, id],
  );
  return { shown, patch, saving: shown !== record };
}
