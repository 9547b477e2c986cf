type Version = { id: string; supersedes: string | null };

/**
 * The version that this one replaced, among versions listed newest first: its own older wording, or the fact it names.
 */
export function predecessorOf<V extends Version>(versions: readonly V[], index: number): V | undefined {
  const version = versions[index];
  if (!version) return undefined;
  const older = versions.slice(index + 1);
  return older.find(({ id }) => id === version.id) ?? older.find(({ id }) => id === version.supersedes);
}
