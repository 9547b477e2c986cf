import { ApiError } from "#components/api.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { TOO_LONG, TOO_SHORT } from "./password-words.ts";

/** Of who has a second factor, one of these. */
type Factor = { code?: string | undefined; passkey?: PasskeyAnswer };
/** What the server may ask for after the right password. */
type More = Factor & { new_password?: string | undefined };

/**
 * Signs in with e-mail and password, and with what else is asked for. Throws `ApiError` with a sentence for the reader; after the right
 * password `new_password_required` where it was made up for them, and `code_required` of who has a second factor.
 */
export async function signInWithPassword(
  email: string,
  password: string,
  { new_password, ...factor }: More = {},
): Promise<void> {
  await signInWith({ email, password, ...(new_password ? { new_password } : {}) }, factor);
}

/** Signs in with a passkey alone. Throws `ApiError` with a sentence for the reader. */
export const signInWithPasskey = (passkey: PasskeyAnswer): Promise<void> => signInWith({}, { passkey });

async function signInWith(account: Record<string, string>, { code, passkey }: Factor): Promise<void> {
  const fields = {
    ...account,
    ...(passkey ? { passkey: JSON.stringify(passkey) } : {}),
    ...(code ? { code } : {}),
  };
  const error = errorIn(await post("callback/credentials", fields));
  if (error !== null) throw signInError(error);
}

/**
 * Goes to the provider's sign-in page, which leads back to `callbackUrl`. `again`: who is signed in there is asked again; Google and GitHub
 * know no such request.
 */
export async function signInWithProvider(provider: string, callbackUrl: string, again = false): Promise<never> {
  const question = again && !asksOnlyItself.has(provider) ? "?prompt=login" : "";
  const url = await post(`signin/${provider}${question}`, { callbackUrl });
  const error = errorIn(url);
  if (error !== null) throw signInError(error);
  window.location.assign(url);
  return new Promise(() => undefined);
}

const asksOnlyItself: ReadonlySet<string> = new Set(["google", "github"]);

/** next-auth's form posts: gets its CSRF token first. Returns the address next-auth would redirect to. */
async function post(action: string, fields: Record<string, string>): Promise<string> {
  const token = await answerOf<{ csrfToken?: string }>(fetch("/api/auth/csrf", { cache: "no-store" }));
  const body = new URLSearchParams({ ...fields, csrfToken: token.csrfToken ?? "", json: "true" });
  const { url } = await answerOf<{ url?: string }>(fetch(`/api/auth/${action}`, { method: "POST", body }));
  if (!url) throw signInError("internal_error");
  return url;
}

async function answerOf<T>(request: Promise<Response>): Promise<T> {
  try {
    const response = await request;
    if (response.status === 503) throw signInError("not_ready");
    return (await response.json()) as T;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof SyntaxError) throw signInError("internal_error");
    throw new ApiError("offline", "The server cannot be reached. Try again when the connection is back.", 0);
  }
}

const errorIn = (url: string): string | null =>
  URL.parse(url, window.location.origin)?.searchParams.get("error") ?? null;

function signInError(text: string): ApiError {
  const [code = "", seconds] = text.split(":");
  if (code === "rate_limited") {
    const wait = Number(seconds) || 60;
    return new ApiError("rate_limited", `Too many attempts. Try again in ${waitInWords(wait)}.`, 429, undefined, {
      retry_after: wait,
    });
  }
  if (code === "not_ready") return new ApiError("not_ready", signInMessage(code), 503);
  if (code === "code_required" || code === "new_password_required") return new ApiError(code, signInMessage(code), 401);
  if (code === "password_too_short" || code === "password_too_long" || code === "password_too_common")
    return new ApiError(code, signInMessage(code), 400, undefined, { parameter: "new_password" });
  if (code === "wrong_code") return new ApiError(code, signInMessage(code), 400, undefined, { parameter: "code" });
  if (code === "wrong_passkey") return new ApiError(code, signInMessage(code), 400);
  return new ApiError(code === "CredentialsSignin" ? "unauthorized" : "internal_error", signInMessage(code), 401);
}

const waitInWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`;

/** What next-auth's error codes mean to the reader; they also arrive as `?error=` of the sign-in page. */
export function signInMessage(code: string): string {
  if (code === "CredentialsSignin") return "The e-mail address or the password is wrong.";
  if (code === "account_disabled") return "Your account is disabled. Ask the person who runs this server.";
  if (code === "new_password_required") return "Choose a password that differs from the one you were given.";
  if (code === "password_too_short") return TOO_SHORT;
  if (code === "password_too_long") return TOO_LONG;
  if (code === "password_too_common")
    return "That password is guessed first: it is well known, or made of your own words. Choose another.";
  if (code === "code_required") return "Enter the code of your second factor.";
  if (code === "wrong_code")
    return "The code is not right, or was used. Wait for the next one, or use a recovery code.";
  if (code === "wrong_passkey")
    return "The passkey was not accepted: it was removed here, or it was asked for too long ago. Try again.";
  if (code === "signups_closed")
    return "There is no account for you here. Ask a member of your workspace for an invitation link.";
  if (code === "invalid_email")
    return "The provider did not confirm your e-mail address. Confirm it there, then try again.";
  if (code === "email_not_allowed")
    return "This provider may not sign in people with your e-mail address here. Sign in another way, or ask the person who runs this server.";
  if (code === "AccessDenied" || code === "OAuthCallback") return "The provider did not let you in, or you cancelled.";
  if (code === "not_ready") return "Rapport cannot reach its database right now. Try again in a moment.";
  return "Signing in failed. Try again.";
}
