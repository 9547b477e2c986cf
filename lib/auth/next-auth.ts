import type { AuthOptions, Profile, Account as ProviderLogin } from "next-auth";
import { log } from "#lib/core/log.ts";
import { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { type Proof, wrongProof } from "#lib/core/proof.ts";
import { asFault, isUnavailable } from "#lib/core/unavailable.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { COOKIE_SECONDS, hostCookies, oldCookies } from "./cookies.ts";
import { groupsIn, oidcProvider, type ToldGroups } from "./oidc.ts";
import { type ProviderIdentity, signInWithProvider } from "./provider-sign-in.ts";
import { oauthProviders, provenAt } from "./providers.ts";
import { markSessionRevoked } from "./queries/sessions.ts";
import { hasFactor, type SecondFactor } from "./second-factor.ts";
import { openToken } from "./session-tokens.ts";
import { claimsIn, liveSession, type Origin, type Session, sealed, startSession } from "./sessions.ts";
import { requireEnabled, signInWithPasskey, signInWithPassword } from "./sign-in.ts";

/** Why a sign-in to an account is refused: which proof was wrong, or what else. */
export type Refusal = Proof | "too many tries" | "disabled account";

/** The parts of a request that the options depend on. */
export type AuthRequest = Origin & {
  secure: boolean;
  /** It signs out, and its session's cookie has the name that releases before 0.2.0 gave it on https. */
  endsOldSession: boolean;
  /** This server's address, as the browser reached it. */
  address: string;
  callbackUrl: string | null;
  /** The session that the browser has already, which a sign-in ends. */
  before: () => Promise<Pick<Session, "id" | "userId"> | null>;
  /** Called for each sign-in: who, under which session, and with what (`password`, with its second factor, or a provider). */
  signedIn(userId: string, how: string): void;
  /**
   * Called for an address and password that do not belong together, for a wrong code or passkey after the right password, and for a
   * passkey whose answer is wrong; and once each time that the free tries for an address are used up.
   */
  refused(who: { email: string } | { userId: string }, what: Refusal): void;
  /** Called for a sign-in by a passkey that no account has, and for one that is refused after a provider's word, and why. */
  refusedUnknown(what: { passkey: "unknown" } | { provider: string; code: string }): void;
  /** Called when a sign-in replaced a password that was made up for the person. */
  passwordReplaced(userId: string): void;
  signedOut(userId: string): void;
  /** What a sign-in with an OIDC provider means for memberships of workspaces that let its groups bring members. */
  groups: {
    /** Whether one of them takes in who has these. */
    awaits(told: ToldGroups): Promise<boolean>;
    /** Gives the user in each of them what their groups give, and takes what they gave. */
    follow(userId: string, told: ToldGroups): Promise<void>;
  };
  /** Ends what a user approved, because their address is proven now. */
  endAccess(userId: string): Promise<void>;
  /** Called when something failed because the database is away; next-auth's answer is then wrong. */
  noteAway: () => void;
};

/** next-auth for one request. The token in the cookie holds the ids of the user and of the session's row, nothing else. */
export function authOptions({
  ip,
  userAgent,
  secure,
  endsOldSession,
  address,
  callbackUrl,
  before,
  signedIn,
  refused,
  refusedUnknown,
  passwordReplaced,
  signedOut,
  groups,
  endAccess,
  noteAway,
}: AuthRequest): AuthOptions {
  const watched =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await work(...given);
      } catch (error) {
        if (isUnavailable(error)) noteAway();
        throw error;
      }
    };
  const signIn = watched(signInWithPassword);
  const signInByPasskey = watched(signInWithPasskey);
  const userOf = watched(async (login: ProviderLogin, profile: Claims | undefined): Promise<string> => {
    const told = groupsOf(login, profile);
    const isAwaited = told !== null && (await groups.awaits(told));
    const meaning = { isAwaited, endAccess };
    const user = await signInWithProvider(identityIn(login, profile), invitationIn(callbackUrl), meaning);
    requireEnabled(user);
    return user.id;
  });
  const begin = watched(async (userId: string, secondFactor: boolean, login: ProviderLogin, profile?: Claims) => {
    const told = groupsOf(login, profile);
    if (told !== null) await groups.follow(userId, told);
    const earlier = await before();
    if (earlier) await withoutWorkspace((db) => markSessionRevoked(db, earlier.userId, earlier.id));
    const proof = { secondFactor, byOidc: told !== null, oidcIssuer: told?.issuer ?? null };
    // An OIDC provider asks for what its operator wants; Google and GitHub know nothing of our factors.
    const asksFactor = login.type === "oauth" && told === null && (await hasFactor(userId));
    const said = { provenAt: provenAt(profile, new Date()), oidcSid: told && sidIn(profile), asksFactor };
    return startSession(userId, { ip, userAgent }, proof, said);
  });
  const sessionOf = watched(liveSession);
  return {
    secret: getBoot().secrets.sessionSecret,
    useSecureCookies: secure,
    ...(secure ? { cookies: endsOldSession ? oldCookies : hostCookies } : {}),
    session: { strategy: "jwt", maxAge: COOKIE_SECONDS },
    jwt: { decode: openToken },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    logger,
    providers: [
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: {
          email: { label: "E-mail", type: "email" },
          password: { label: "Password", type: "password" },
          code: { label: "Code", type: "text" },
          passkey: { label: "Passkey", type: "text" },
          new_password: { label: "New password", type: "password" },
        },
        async authorize(credentials) {
          const { email, password, code, passkey, new_password: newPassword } = credentials ?? {};
          const answer = passkeyIn(passkey);
          const from = ip ?? "unknown";
          if (answer && password === undefined) {
            const { userId, right, disabled } = await signInByPasskey(answer, address, from).catch(asSignInError);
            if (userId && disabled) {
              refused({ userId }, "disabled account");
              throw new Error("account_disabled");
            }
            if (userId && right) return { id: userId, how: "passkey", secondFactor: true };
            if (userId) refused({ userId }, "passkey");
            else refusedUnknown({ passkey: "unknown" });
            throw new Error("wrong_passkey");
          }
          if (typeof email !== "string" || typeof password !== "string") return null;
          const factor = answer ? { passkey: { answer, address } } : typeof code === "string" ? { code } : {};
          const whenSlowed = () => refused({ email }, "too many tries");
          const given = { email, password, newPassword, ...factor, ip: from, whenSlowed };
          const user = await signIn(given).catch((error: unknown) => {
            const isDisabled = asFault(error).code === "account_disabled";
            const what = isDisabled ? "disabled account" : wrongProof(error);
            if (what) refused({ email }, what);
            return asSignInError(error);
          });
          if (!user) refused({ email }, "password");
          else if (user.passwordTemporary) passwordReplaced(user.id);
          return user && { id: user.id, how: howOf(user.factor), secondFactor: user.factor !== null };
        },
      },
      ...oauthProviders(),
    ],
    callbacks: {
      // Never another site, and no failure for what is no address at all.
      redirect: ({ url, baseUrl }) => {
        const to = URL.parse(url, baseUrl);
        return to?.origin === baseUrl ? to.href : baseUrl;
      },
      async signIn({ account, profile }) {
        if (account?.type !== "oauth") return true;
        await userOf(account, profile).catch((error: unknown) => {
          refusedUnknown({ provider: account.provider, code: asFault(error).code });
          return asSignInError(error);
        });
        return true;
      },
      async jwt({ token, user, account, profile }) {
        if (user && account) {
          const userId = account.type === "oauth" ? await userOf(account, profile) : user.id;
          const secondFactor = "secondFactor" in user && user.secondFactor === true;
          const sid = await begin(userId, secondFactor, account, profile);
          signedIn(userId, "how" in user ? String(user.how) : account.provider);
          return { sub: userId, sid };
        }
        const claims = claimsIn(token);
        if (!claims || !(await sessionOf(claims.sessionId, claims.userId, claims)))
          throw new Error("the session has ended");
        return sealed(claims);
      },
      async session({ session, token }) {
        const claims = claimsIn(token);
        const live = claims && (await sessionOf(claims.sessionId, claims.userId, claims));
        return { ...session, user: { name: live?.name ?? null, email: live?.email ?? null } };
      },
    },
    events: {
      signOut: watched(async ({ token }) => {
        const claims = claimsIn(token);
        if (!claims) return;
        if (await withoutWorkspace((db) => markSessionRevoked(db, claims.userId, claims.sessionId)))
          signedOut(claims.userId);
      }),
    },
  };
}

/** The passkey's answer in a field of the form; null when there is none that can be read. */
function passkeyIn(field: unknown): PasskeyAnswer | null {
  if (typeof field !== "string") return null;
  try {
    return PasskeyAnswer.safeParse(JSON.parse(field)).data ?? null;
  } catch {
    return null;
  }
}

const howOf = (factor: SecondFactor | null): string => (factor ? `password and ${factor}` : "password");

type Claims = Profile & { email_verified?: unknown; sid?: unknown };

function identityIn({ provider, providerAccountId: id }: ProviderLogin, profile: Claims | undefined): ProviderIdentity {
  const verified = profile?.email_verified === true || profile?.email_verified === "true";
  return { provider, id, name: profile?.name ?? null, email: (verified && profile?.email) || null };
}

/** Null for a sign-in that no OIDC provider of this server vouches for. */
function groupsOf({ provider: id }: ProviderLogin, profile: Claims | undefined): ToldGroups | null {
  const provider = oidcProvider(id);
  return provider && { issuer: provider.issuer, names: groupsIn(profile, provider) };
}

const invitationIn = (callbackUrl: string | null): string | null =>
  /\/invite\/([0-9A-Za-z]+)/.exec(callbackUrl ?? "")?.[1] ?? null;

/** The provider's id of its session, which it names when that ends. */
const sidIn = (profile: Claims | undefined): string | null =>
  typeof profile?.sid === "string" && profile.sid !== "" ? profile.sid : null;

/** next-auth hands the message on to the sign-in page, which has words for these codes. */
function asSignInError(error: unknown): never {
  const fault = asFault(error);
  if (fault.code === "internal_error") log.error({ err: error }, "sign-in failed");
  const { retry_after } = fault.extras;
  throw new Error(typeof retry_after === "number" ? `${fault.code}:${retry_after}` : fault.code);
}

// An expired or revoked cookie is normal; everything else is logged.
const logger: NonNullable<AuthOptions["logger"]> = {
  error(code, metadata) {
    const error = metadata instanceof Error ? metadata : metadata.error;
    if (code === "JWT_SESSION_ERROR" || code === "SIGNOUT_ERROR" || isUnavailable(error)) return;
    log.warn({ code, err: error }, "next-auth");
  },
  warn: () => undefined,
  debug: () => undefined,
};
