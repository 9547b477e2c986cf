import { useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { type IntegrationDetail, useCheck } from "./calls.ts";
import { deliveringOf, useSendTest } from "./delivery-calls.ts";

/** A part of a test with its result, in a sentence. */
export type TestLine = { what: "key" | "delivery"; ok: boolean; message: string };

/**
 * Tests a connection: asks the provider with the key that is kept, and sends a signed delivery to this server's own
 * address. Either part says its result, also when the other fails.
 */
export function useConnectionTest(workspaceId: string, integration: IntegrationDetail, hasKey: boolean) {
  const check = useCheck(workspaceId);
  const send = useSendTest(workspaceId);
  const [lines, setLines] = useState<readonly TestLine[]>([]);
  const { provider, display_name: name, webhook_url } = integration;

  async function line(what: TestLine["what"], work: () => Promise<string>): Promise<void> {
    const result = await work().then(
      (message) => ({ what, ok: true, message }),
      (error: unknown) => ({ what, ok: false, message: problemOf(error).message }),
    );
    setLines((before) => [...before, result]);
  }

  async function run(): Promise<void> {
    setLines([]);
    if (hasKey)
      await line("key", async () => {
        const { account } = await check.mutateAsync(provider);
        return `${name} accepts the key${account ? ` of ${account}` : ""}.`;
      });
    if (webhook_url)
      await line("delivery", async () => {
        const { url } = await send.mutateAsync(deliveringOf(integration));
        return `A signed test arrived through ${new URL(url).origin}. It is listed below, marked as a test.`;
      });
  }

  return { run, lines, isRunning: check.isPending || send.isPending };
}
