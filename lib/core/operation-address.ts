/** The path with its `:name` fields filled in, and the fields that go elsewhere. */
export function addressOf(path: string, input: object): { address: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input };
  const address = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { address, rest };
}

/** Lists repeat the parameter; what is undefined or null is left out. */
export function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) query.append(name, String(item));
  }
  return query.size > 0 ? `?${query}` : "";
}
