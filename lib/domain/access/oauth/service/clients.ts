import { timingSafeEqual } from "node:crypto";
import { mintLinkToken, mintSecret, sha256 } from "#lib/auth/secret-tokens.ts";
import { Fault, messageOf } from "#lib/core/errors.ts";
import { issueWords } from "#lib/core/issue-words.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { DocumentProblem, readClientDocument } from "#lib/providers/client-documents.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { ClientDocument, ClientMetadata } from "../contract.ts";
import { type ClientRow, findClient, removeUnusedClients, upsertClient } from "../queries.ts";
import { type AuthMethod, authMethods, grantTypes, hostOf, isDocumentId, isRedirectUri, plainName } from "../rules.ts";

/** A document is read again when someone is asked to approve its client and it was read this long ago. */
const DOCUMENT_MS = 3_600_000;

/** Clients that no one uses are forgotten; a connection ends 30 days after its last use. */
const KEPT_USED_DAYS = 180;
const KEPT_UNUSED_DAYS = 30;

/** The answer to a registration (RFC 7591, 3.2.1). */
export type RegistrationAnswer = {
  client_id: string;
  client_id_issued_at: number;
  client_secret?: string;
  client_secret_expires_at?: number;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: AuthMethod;
};

/** Registers a client. Throws 400 `invalid_redirect_uri` or `invalid_client_metadata`. */
export async function registerClient(body: unknown): Promise<RegistrationAnswer> {
  const metadata = metadataIn(body);
  const authMethod = authMethods.find((method) => method === (metadata.token_endpoint_auth_method ?? authMethods[2]));
  if (!authMethod) throw unaccepted(`token_endpoint_auth_method must be one of ${authMethods.join(", ")}.`);
  const secret = authMethod === "none" ? null : mintSecret("client");
  const client: ClientRow = {
    ...described(metadata),
    id: `client_${mintLinkToken().token}`,
    authMethod,
    secretHash: secret?.hash ?? null,
    fetchedAt: null,
  };
  await withoutWorkspace((db) => upsertClient(db, client));
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    ...(secret ? { client_secret: secret.secret, client_secret_expires_at: 0 } : {}),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: ["code"],
    token_endpoint_auth_method: authMethod,
  };
}

function metadataIn(body: unknown): ClientMetadata {
  const { success, data, error } = ClientMetadata.safeParse(body, { error: issueWords });
  if (success) return data;
  const [issue] = error.issues;
  throw unaccepted(`${issue?.path.join(".") || "The body"}: ${issue?.message}.`);
}

/** What both ways of introducing a client say. Throws as `registerClient` does. */
function described(metadata: ClientMetadata): Pick<ClientRow, "name" | "redirectUris" | "grantTypes"> {
  const { redirect_uris: redirectUris, grant_types: asked = [grantTypes[0]], response_types = ["code"] } = metadata;
  const refused = redirectUris.findIndex((uri) => !isRedirectUri(uri));
  if (refused !== -1)
    throw new Fault("invalid_redirect_uri", {}, `redirect_uris.${refused}: ${messageOf("invalid_redirect_uri")}`);
  if (!asked.includes(grantTypes[0])) throw unaccepted("grant_types must include authorization_code.");
  if (!response_types.includes("code")) throw unaccepted("response_types must include code.");
  const name = plainName(metadata.client_name ?? "") || hostOf(redirectUris[0] as string);
  return { name, redirectUris, grantTypes: grantTypes.filter((type) => asked.includes(type)) };
}

const unaccepted = (why: string) => new Fault("invalid_client_metadata", {}, why);

/**
 * The client that asks for approval: a registered one, or the one that a document describes, which is read when that was not
 * done lately. Throws 400 `authorization_invalid`.
 */
export async function introduceClient(clientId: string): Promise<ClientRow> {
  const storedClient = await withoutWorkspace((db) => findClient(db, clientId));
  if (storedClient && (storedClient.fetchedAt === null || storedClient.fetchedAt.getTime() > Date.now() - DOCUMENT_MS))
    return storedClient;
  if (!isDocumentId(clientId))
    throw invalid(
      "The app that sent you here is not registered with this server. Remove it there and connect it again.",
    );
  const client = await readDocument(clientId);
  await withoutWorkspace((db) => upsertClient(db, client));
  return client;
}

async function readDocument(clientId: string): Promise<ClientRow> {
  let document: unknown;
  try {
    document = await readClientDocument(clientId, getBoot().env.TARGET_HOSTS);
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error;
    throw invalid(`The description of the app at ${clientId} could not be read. ${error.message}`);
  }
  const { success, data } = ClientDocument.safeParse(document);
  if (!success || data.client_id !== clientId) throw invalid(`The description of the app at ${clientId} is not valid.`);
  if ((data.token_endpoint_auth_method ?? "none") !== "none")
    throw invalid(`The app at ${clientId} wants to sign in with a method that this server does not have.`);
  try {
    return { ...described(data), id: clientId, authMethod: "none", secretHash: null, fetchedAt: new Date() };
  } catch (error) {
    throw error instanceof Fault ? invalid(`The description of the app at ${clientId}: ${error.message}`) : error;
  }
}

const invalid = (message: string) => new Fault("authorization_invalid", {}, message);

/** What a client sent to prove who it is. */
export type Credentials = { clientId: string | null; secret: string | null };

/** The client of a request for tokens. Throws 401 `invalid_client`, for an unknown client and a wrong secret alike. */
export async function requireClient({ clientId, secret }: Credentials): Promise<ClientRow> {
  const client = clientId ? await withoutWorkspace((db) => findClient(db, clientId)) : null;
  if (!client) throw new Fault("invalid_client");
  if (client.secretHash && !(secret && timingSafeEqual(sha256(secret), client.secretHash)))
    throw new Fault("invalid_client");
  return client;
}

/** Once a day: forgets clients that no one uses. */
export const sweepClients = (): Promise<void> =>
  withoutWorkspace((db) => removeUnusedClients(db, KEPT_USED_DAYS, KEPT_UNUSED_DAYS));
