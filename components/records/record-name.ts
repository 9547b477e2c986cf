import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { getNames } from "#components/operations/overview.ts";

/** The most that the operation returns at once. */
const MOST = 200;

type Waiting = { ids: Set<string>; answer: Promise<ReadonlyMap<string, string>> };
const waiting = new Map<string, Waiting>();

/** The name of the record with this id; undefined until it is known. */
export function useRecordName(workspaceId: string, id: string | null): string | undefined {
  const { data, isError } = useQuery({
    queryKey: ["record-name", workspaceId, id],
    queryFn: () => nameOf(workspaceId, id ?? ""),
    enabled: id !== null,
    staleTime: 300_000,
  });
  return isError ? "Unknown" : data;
}

/** All names that are needed in one turn of the event loop go into one request. */
async function nameOf(workspaceId: string, id: string): Promise<string> {
  let batch = waiting.get(workspaceId);
  if (!batch || batch.ids.size >= MOST) {
    const ids = new Set<string>();
    batch = { ids, answer: ask(workspaceId, ids) };
    waiting.set(workspaceId, batch);
  }
  batch.ids.add(id);
  return (await batch.answer).get(id) ?? "Unknown";
}

async function ask(workspaceId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  await new Promise((resolve) => setTimeout(resolve));
  if (waiting.get(workspaceId)?.ids === ids) waiting.delete(workspaceId);
  const { names } = await callOperation(getNames, workspaceId, { ids: [...ids] });
  return new Map(names.map(({ id, name }) => [id, name]));
}
