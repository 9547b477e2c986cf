import type { Prisma, PrismaClient } from "#prisma/generated/client.ts";

type Creates = "create" | "createMany" | "createManyAndReturn";

/** A row to create, by its plain columns; its workspace need not be said. */
type NewRow<Data> = Data extends { workspaceId: string } ? Omit<Data, "workspaceId"> & { workspaceId?: string } : never;
type ToCreate<Model> = NewRow<Prisma.Args<Model, "create">["data"]>;
type CreateArgs<Model, Method extends Creates> = Omit<Prisma.Args<Model, Method>, "data"> & {
  data: Method extends "create" ? ToCreate<Model> : readonly ToCreate<Model>[];
};

/** A tenant's model. */
type OfTenant<Model> = Omit<Model, Creates> & {
  [Method in Creates]: <A>(
    args: Prisma.Exact<A, CreateArgs<Model, Method>>,
  ) => Promise<Prisma.Result<Model, A, Method>>;
};

/** Prisma makes one statement of such calls that come in one turn of the event loop, also of those of different pieces of work. */
type Joined = "findUnique" | "findUniqueOrThrow";

type Models = { [Name in Uncapitalize<Prisma.ModelName>]: PrismaClient[Name] };
type HasWorkspace<Model> = "workspaceId" extends keyof NonNullable<Prisma.Args<Model, "findFirst">["where"]>
  ? true
  : false;

/** Prisma as a handle has it: no call needs to say its workspace. */
export type ScopedPrisma = {
  [Name in keyof Models]: Omit<HasWorkspace<Models[Name]> extends true ? OfTenant<Models[Name]> : Models[Name], Joined>;
} & Pick<PrismaClient, "$queryRaw" | "$queryRawUnsafe" | "$executeRawUnsafe">;

type Part = Record<string, unknown>;
type Call = { model?: string; operation: string; args?: Part };
type Field = { readonly name: string; readonly kind: string; readonly type: string };
type Datamodel = Readonly<Record<string, { readonly fields: readonly Field[] }>>;

/** The models of a client, as its schema declares them. */
export const datamodelOf = (client: PrismaClient): Datamodel =>
  (client as unknown as { _runtimeDataModel: { models: Datamodel } })._runtimeDataModel.models;

const fieldOf = (models: Datamodel, model: string, name: string) =>
  models[model]?.fields.find((field) => field.name === name);

/** Whether the rows of a model belong to a workspace. */
export const isTenants = (models: Datamodel, model: string): boolean =>
  fieldOf(models, model, "workspaceId") !== undefined;

/** The field that says which workspace a row is of; null: it is of none. */
const keyOf = (models: Datamodel, model: string): "workspaceId" | "id" | null =>
  isTenants(models, model) ? "workspaceId" : model === "Workspace" ? "id" : null;

/**
 * The arguments of a call with the workspace in them: in `where`, or in the rows to create. Throws for a call about a
 * tenant's rows in work that has no workspace, and for one that names another workspace or leaves its own. Work without
 * a workspace may ask about all workspaces.
 */
export function scopedArgs(models: Datamodel, workspaceId: string | null, { model, operation, args = {} }: Call): Part {
  if (operation.startsWith("findUnique"))
    throw new Error(`${model}.${operation} may be joined with a call of other work: ask with findFirst`);
  if (model === undefined) return args;
  for (const [name, part] of Object.entries(args)) if (name !== "orderBy") requireOwn(models, workspaceId, model, part);
  const key = keyOf(models, model);
  if (key === null) return args;
  if (workspaceId === null) {
    if (key === "id") return args;
    throw new Error(`${model}.${operation} is about a workspace, and this work has none`);
  }
  const own = (part: unknown): Part => ({ ...(part as Part), [key]: workspaceId });
  if (operation.startsWith("create"))
    return { ...args, data: Array.isArray(args.data) ? args.data.map(own) : own(args.data) };
  const scopedArgs = { ...args, where: own(args.where) };
  return operation === "upsert" ? { ...scopedArgs, create: own(args.create) } : scopedArgs;
}

/**
 * Throws where a part of a call names another workspace, or asks for tenants' rows by way of a model that has no
 * workspace: the foreign keys between tenants' rows contain it, those of users do not.
 */
function requireOwn(models: Datamodel, workspaceId: string | null, model: string, part: unknown): void {
  if (part === null || typeof part !== "object") return;
  const key = keyOf(models, model);
  for (const [name, value] of Object.entries(part)) {
    const field = Array.isArray(part) ? undefined : fieldOf(models, model, name);
    const next = field?.kind === "object" ? field.type : model;
    const isAnyones = workspaceId === null && key === "id";
    if (name === key && field && !isAnyones && value !== workspaceId && typeof value !== "boolean")
      throw new Error(`a call about ${model} names another workspace`);
    if (next !== model && isTenants(models, next) && !isTenants(models, model))
      throw new Error(`a call asks for ${next} by way of ${model}, which belongs to no workspace`);
    if (!field || field.kind === "object") requireOwn(models, workspaceId, next, value);
  }
}
