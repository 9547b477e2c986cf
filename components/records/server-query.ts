import type { Query } from "./list-kind.ts";

const PREFIX = "property.";

/** The request as an operation takes it: the parameters `property.<name>` gathered, as for a query string. */
export function operationInput(query: Query): Record<string, unknown> {
  const entries = Object.entries(query);
  const properties = entries.flatMap(([name, value]) =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
  );
  return {
    ...Object.fromEntries(entries.filter(([name]) => !name.startsWith(PREFIX))),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  };
}
