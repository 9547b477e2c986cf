import { readSession } from "#lib/auth/sessions.ts";
import { finishMailSignIn } from "#lib/domain/integrations/mailboxes/service.ts";
import { answered } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { requestIdOf } from "./request-id.ts";

/**
 * `GET /oauth/mail`: a browser comes back from Google or Microsoft, and goes on to the page of integrations. Only the session that began
 * the sign-in can end it.
 */
export const mailSignInRoute = (): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered("finishMailSignIn", exchange, requestId, async ({ headers }) => {
      const said = new URLSearchParams(exchange.query);
      const session = await readSession(exchange.header);
      const back = { state: said.get("state") ?? "", code: said.get("code"), error: said.get("error") };
      const ended =
        session && (await finishMailSignIn(back, { session, requestId, ip: exchange.ip, origin: originOf(exchange) }));
      // The code is in the address: no other page learns it.
      headers["Referrer-Policy"] = "no-referrer";
      headers.Location = ended
        ? `/${ended.workspaceId}/integrations?mail=${ended.refused ?? "signed_in"}`
        : session
          ? "/"
          : "/sign-in";
      return { status: 303, body: null };
    });
  });
