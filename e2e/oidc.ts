/** A person who signs in with an OIDC provider, in a browser. */
import type { OidcProvider } from "#lib/testing/oidc.fixture.ts";
import type { App } from "./app.ts";
import { arrived, type Page } from "./fixture.ts";

/** From now on the provider takes this browser for one of its people, and sends them back. */
export async function signedInAt(page: Page, provider: OidcProvider, email: string, more: object = {}): Promise<void> {
  const claims = { sub: email, sid: `session of ${email}`, email, email_verified: true, ...more };
  await page.route(`${provider.issuer}/authorize*`, (route) => {
    const back = provider.approve(route.request().url(), { claims });
    const body = `<meta http-equiv="refresh" content="0;url=${back.href.replaceAll("&", "&amp;")}">`;
    return route.fulfill({ contentType: "text/html", body });
  });
}

/** Creates the account and the workspace “Acme”, from the page where one signs up. Returns the workspace's address. */
export async function ownWorkspace(page: Page, app: Pick<App, "baseURL">, providerName: string): Promise<string> {
  await page.getByRole("button", { name: `Continue with ${providerName}` }).click();
  await arrived(page, /\/new$/);
  await page.getByLabel("Workspace name").fill("Acme");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await arrived(page, /\/connect\?welcome=1$/);
  return `${app.baseURL}/${new URL(page.url()).pathname.split("/")[1]}`;
}
