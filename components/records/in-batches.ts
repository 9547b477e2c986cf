type Batch<T> = { ids: Set<string>; answer: Promise<ReadonlyMap<string, T>> };

/**
 * Asks for many records with one request: all ids that are wanted in one turn of the event loop go together, at most
 * `most` of them.
 */
export function inBatches<T>(
  most: number,
  ask: (workspaceId: string, ids: string[]) => Promise<ReadonlyMap<string, T>>,
): (workspaceId: string, id: string) => Promise<T | undefined> {
  const waiting = new Map<string, Batch<T>>();

  async function send(workspaceId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, T>> {
    await new Promise((resolve) => setTimeout(resolve));
    if (waiting.get(workspaceId)?.ids === ids) waiting.delete(workspaceId);
    return ask(workspaceId, [...ids]);
  }

  return async (workspaceId, id) => {
    let batch = waiting.get(workspaceId);
    if (!batch || batch.ids.size >= most) {
      const ids = new Set<string>();
      batch = { ids, answer: send(workspaceId, ids) };
      waiting.set(workspaceId, batch);
    }
    batch.ids.add(id);
    return (await batch.answer).get(id);
  };
}
