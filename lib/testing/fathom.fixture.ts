/** A server that behaves as Fathom's API documents, as far as a key is checked: lists of meetings. */
import lastPage from "#lib/testing/samples/fathom/api.list_meetings.last_page.json" with { type: "json" };
import { type Answer, type ReceivedRequest, StandIn } from "./stand-in.fixture.ts";

export class FathomStandIn extends StandIn {
  protected override tokenIn({ headers }: ReceivedRequest): string {
    return String(headers["x-api-key"] ?? "");
  }

  protected unknownToken(): Answer {
    return { status: 401, body: { error: "Unauthorized" } };
  }

  protected answer({ path }: ReceivedRequest): Answer {
    return path === "/meetings" ? { status: 200, body: lastPage } : { status: 404, body: { error: "Not found" } };
  }
}
