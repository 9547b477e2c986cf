import { authRoute } from "#lib/http/auth-route.ts";

export { authRoute as GET, authRoute as POST };
