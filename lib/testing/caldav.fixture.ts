/** A CalDAV server on this machine for a test file. */
import { afterAll, beforeAll } from "vitest";
import { CalDavServer } from "./caldav-server.fixture.ts";

export { CALENDAR_LOGIN, type Leaves } from "./caldav-server.fixture.ts";

export function useCalDavServer(): CalDavServer {
  const server = new CalDavServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
