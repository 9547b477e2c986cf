import { mailSignInRoute } from "#lib/http/mail-sign-in-route.ts";

export const GET = mailSignInRoute();
