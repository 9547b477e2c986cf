import { afterAll, beforeAll } from "vitest";
import { OidcProvider } from "./oidc.fixture.ts";

/** The address of the server that browsers sign in to. */
export const URL_HERE = "http://localhost:4321";

/** An OpenID provider that runs while a test file does, with which people sign in at `URL_HERE`. */
export function useOidcProvider(): OidcProvider {
  const provider = new OidcProvider();
  const before = process.env.NEXTAUTH_URL;
  beforeAll(async () => {
    process.env.NEXTAUTH_URL = URL_HERE;
    await provider.start();
  });
  afterAll(async () => {
    if (before === undefined) delete process.env.NEXTAUTH_URL;
    else process.env.NEXTAUTH_URL = before;
    await provider.stop();
  });
  return provider;
}
