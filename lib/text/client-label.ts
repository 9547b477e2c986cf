/** What a caller may call itself in `x-service-client`. */
const LABEL = /^[A-Za-z0-9.\-_/]{1,64}$/;
const LONGEST = 64;

/** Labels of our own: what an import records is found again by its label, so no caller may have it. */
const IMPORT = "import/";

/** The label of what an import records. */
export const labelOfImport = (id: string): string => `${IMPORT}${id}`;

/** Whether something was recorded by an import. */
export const isOfImport = (label: string | null): boolean => label?.startsWith(IMPORT) === true;

/** The label as a request sent it; null when there is none, or one that is not allowed. */
export const givenLabel = (header: string | undefined): string | null =>
  header !== undefined && LABEL.test(header) && !isOfImport(header) ? header : null;

/** Any text as a label: other characters become hyphens. Null when nothing is left. */
export function labelOf(text: string): string | null {
  const label = text
    .trim()
    .replaceAll(/[^A-Za-z0-9.\-_/]+/g, "-")
    .slice(0, LONGEST);
  return label === "" || isOfImport(label) ? null : label;
}

/** `{name, version}`, by which MCP clients say what they are, as the label `name/version`. Null when it holds no name. */
export function labelOfInfo(info: unknown): string | null {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== "string") return null;
  return labelOf(typeof version === "string" ? `${name}/${version}` : name);
}
