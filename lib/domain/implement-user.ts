import type { z } from "zod";
import type { Session } from "#lib/auth/sessions.ts";
import { Fault } from "#lib/core/errors.ts";
import type { Contract } from "#lib/core/operation.ts";
import { parseInput } from "#lib/core/parse-input.ts";
import { requireProofFor } from "#lib/core/proof.ts";
import { replyOf } from "./answers.ts";
import type { Calls } from "./operation.ts";

/** The caller of a user operation: may be signed in; not tied to a workspace. */
export type Visitor = {
  session: Session | null;
  ip: string;
  userAgent: string | null;
  requestId: string;
  client: string | null;
  /** This server's address as the visitor reached it. */
  origin: string;
  /** Gives the browser this token of its session with the answer; pages, which only read, have none. */
  keepToken?(token: string): void;
};

export type SignedIn = Visitor & { session: Session };

/**
 * `anyone`: the operation makes its own checks (a password, a token). `signed-in`: there must be a session. `program`: for
 * programs, not for pages; no session is read, and the request need not come from a page of ours.
 */
export type Access = "anyone" | "signed-in" | "program";

export type UserOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  contract: Contract<I, O>;
  access: Access;
  /** Throws 401 when it is for people who are signed in. Transports ask before they read the body. */
  allow(visitor: Visitor): Pick<Calls<O>, "execute" | "reply">;
  execute(visitor: Visitor, raw: unknown): Promise<z.output<O>>;
};

/**
 * Binds a service to a contract that belongs to a person, not to a workspace. The service opens its transactions
 * itself: which workspace they are for is known only when a token is found or a workspace made, and passwords are
 * hashed outside of any.
 */
export function implementUser<I extends z.ZodObject, O extends z.ZodType, A extends Access>(
  contract: Contract<I, O>,
  access: A,
  service: (ctx: A extends "signed-in" ? SignedIn : Visitor, input: z.output<I>) => Promise<z.output<O>>,
): UserOperation<I, O> {
  const allow: UserOperation<I, O>["allow"] = (visitor) => {
    if (access === "signed-in" && !visitor.session) throw new Fault("session_required");
    const execute = async (raw: unknown) => {
      const input = parseInput(contract, raw);
      requireProofFor(contract, visitor.session?.provenAt, input);
      return service(visitor as A extends "signed-in" ? SignedIn : Visitor, input);
    };
    return { execute, reply: async (raw) => replyOf(contract, await execute(raw)) };
  };
  return { contract, access, allow, execute: async (visitor, raw) => allow(visitor).execute(raw) };
}
