import { ApiError, type Callable, offline, refusal, workspaceAddress } from "#components/api.ts";
import { createImport } from "#components/operations/imports.ts";
import { connectionHolds } from "#components/ui/connection.ts";
import { queryOf } from "#lib/core/operation.ts";
import type { Import, ImportKind } from "#lib/domain/workspace/imports/contract.ts";

type Upload = {
  workspaceId: string;
  kind: ImportKind;
  file: File;
  signal: AbortSignal;
  /** How many bytes have been sent. */
  onSent: (bytes: number) => void;
};

/**
 * Sends a file as it is, so that the server finds out its encoding. By XMLHttpRequest, since fetch does not say how much
 * was sent. Throws `ApiError`; an abort throws the reason of `signal`.
 */
export function uploadFile({ workspaceId, kind, file, signal, onSent }: Upload): Promise<Import> {
  const { method, path }: Callable<never, never>["http"] = createImport.http;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(
      method,
      `${workspaceAddress(workspaceId, path)}${queryOf({ kind, file_name: file.name.slice(-255) })}`,
    );
    request.setRequestHeader("content-type", "text/csv");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      connectionHolds();
      const answer = request.response as { import?: Import } | null;
      if (request.status === 201 && answer?.import) resolve(answer.import);
      else reject(refusal(request.status, request.getResponseHeader("x-request-id") ?? undefined, answer));
    };
    request.onerror = () => void unreadable(file).then((problem) => reject(problem ?? offline()));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/** A file that was moved or changed after it was chosen fails like a lost connection. */
const unreadable = (file: File): Promise<ApiError | null> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => null,
      () =>
        new ApiError("invalid_file", "The file cannot be read any more: it was moved or changed. Choose it again.", 0),
    );
