import { Fault } from "#lib/core/errors.ts";
import { issueWords } from "#lib/core/issue-words.ts";
import { SentGroup, SentUser } from "#lib/domain/access/directory/contract.ts";
import type { Page, ProvisionedGroup, ProvisionedUser } from "#lib/domain/access/directory/service.ts";
import { formatTime } from "#lib/text/time.ts";

/** Forms of SCIM 2.0 (RFC 7643 and 7644), from what is stored and back. */

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const API = "urn:ietf:params:scim:api:messages:2.0";

export type Resource = { schemas: string[]; id: string; meta: Record<string, unknown> } & Record<string, unknown>;

const metaOf = (
  resourceType: string,
  base: string,
  { id, createdAt, updatedAt }: ProvisionedUser | ProvisionedGroup,
) => ({
  resourceType,
  created: formatTime(createdAt),
  lastModified: formatTime(updatedAt),
  location: `${base}/${resourceType}s/${id}`,
});

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

export const userResource = (user: ProvisionedUser, base: string): Resource => {
  const attributes = user.attributes as Record<string, unknown>;
  const extensions = Object.keys(attributes).filter((name) => name.startsWith("urn:"));
  return {
    ...present({ ...attributes, externalId: user.externalId }),
    schemas: [`${CORE}:User`, ...extensions],
    id: user.id,
    userName: user.userName,
    active: user.active,
    groups: user.groups.map(({ group }) => ({ value: group.id, display: group.displayName })),
    meta: metaOf("User", base, user),
  };
};

export const groupResource = (group: ProvisionedGroup, base: string): Resource => ({
  ...present({ externalId: group.externalId }),
  schemas: [`${CORE}:Group`],
  id: group.id,
  displayName: group.displayName,
  members: group.members.map(({ id, userName }) => ({ value: id, display: userName, type: "User" })),
  meta: metaOf("Group", base, group),
});

/** Names of attributes are the same in any case of letters (RFC 7643, 2.1); these are the ones with a meaning here. */
const KNOWN = new Map(
  [
    ...["schemas", "id", "meta", "externalId", "displayName", "Operations"],
    ...["userName", "active", "name", "emails", "password", "groups", "members"],
  ].map((name) => [name.toLowerCase(), name]),
);

/** The attributes by the names that are known here. */
export const namedAsKnown = (sent: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [KNOWN.get(name.toLowerCase()) ?? name, value]));

/** What is kept of one person besides their names is small. */
const MOST_BYTES = 16 * 1024;

/** A person in the body of a request. Throws 400 `invalid_parameter`. */
export function sentUser(body: Readonly<Record<string, unknown>>): SentUser {
  if (Buffer.byteLength(JSON.stringify(body)) > MOST_BYTES)
    throw new Fault("invalid_parameter", {}, `A user holds more than ${MOST_BYTES / 1024} KiB.`);
  return parsed(SentUser, namedAsKnown(body));
}

/** A group in the body of a request. Throws 400 `invalid_parameter`. */
export const sentGroup = (body: Readonly<Record<string, unknown>>): SentGroup => parsed(SentGroup, namedAsKnown(body));

function parsed<T extends typeof SentUser | typeof SentGroup>(schema: T, body: unknown) {
  const { success, data, error } = schema.safeParse(body, { error: issueWords });
  if (success) return data as ReturnType<T["parse"]>;
  const [issue] = error.issues;
  const parameter = issue?.path.join(".") || "The body";
  throw new Fault("invalid_parameter", { parameter }, `${parameter}: ${issue?.message}.`);
}

/** A page of a list (RFC 7644, 3.4.2). */
export const listOf = ({ total, start, items }: Page<unknown>, resources: unknown[]) => ({
  schemas: [`${API}:ListResponse`],
  totalResults: total,
  startIndex: start,
  itemsPerPage: items.length,
  Resources: resources,
});

/** The codes of RFC 7644, 3.12, that say more than the status. */
const scimTypes: Readonly<Record<string, string>> = {
  directory_user_exists: "uniqueness",
  directory_group_exists: "uniqueness",
  invalid_directory_filter: "invalidFilter",
  invalid_directory_patch: "invalidPath",
  invalid_parameter: "invalidValue",
  invalid_email: "invalidValue",
  invalid_json: "invalidSyntax",
};

/** The body of an error (RFC 7644, 3.12). */
export const errorOf = ({ code, status, message }: Fault) => ({
  schemas: [`${API}:Error`],
  status: String(status),
  ...(code in scimTypes ? { scimType: scimTypes[code] } : {}),
  detail: message,
});

/** What a directory may ask for (RFC 7643, 5). */
export const providerConfig = (base: string, mostResults: number) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "API key",
      description: "A key of Rapport with the access Directory, as a bearer token.",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

/** The kinds of resources (RFC 7643, 6). */
export const resourceTypes = (base: string) =>
  ["User", "Group"].map((name) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE}:${name}`,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));

const attribute = (name: string, more: Record<string, unknown> = {}) => ({
  ...{ name, type: "string", multiValued: false, required: false, caseExact: false },
  ...{ mutability: "readWrite", returned: "default", uniqueness: "none" },
  ...more,
});

const several = (name: string, subAttributes: unknown[], more: Record<string, unknown> = {}) =>
  attribute(name, { type: "complex", multiValued: true, subAttributes, ...more });

/** The attributes that have a meaning here (RFC 7643, 7); others are kept. */
export const schemas = (base: string) =>
  [
    {
      name: "User",
      attributes: [
        attribute("userName", { required: true, uniqueness: "server" }),
        attribute("displayName"),
        attribute("name", {
          type: "complex",
          subAttributes: [attribute("formatted"), attribute("givenName"), attribute("familyName")],
        }),
        attribute("active", { type: "boolean" }),
        several("emails", [attribute("value"), attribute("type"), attribute("primary", { type: "boolean" })]),
        several("groups", [attribute("value"), attribute("display")], { mutability: "readOnly" }),
      ],
    },
    {
      name: "Group",
      attributes: [
        attribute("displayName", { required: true, uniqueness: "server" }),
        several("members", [attribute("value"), attribute("display"), attribute("type")]),
      ],
    },
  ].map(({ name, attributes }) => ({
    schemas: [`${CORE}:Schema`],
    id: `${CORE}:${name}`,
    name,
    description: `${name} of a directory`,
    attributes,
    meta: { resourceType: "Schema", location: `${base}/Schemas/${CORE}:${name}` },
  }));
