export { type Client, createClient, type Options } from "./client.ts";
export { type ErrorCode, RapportError } from "./error.ts";
export type { Retries } from "./retries.ts";
export type { components, operations, paths } from "./schema.ts";
