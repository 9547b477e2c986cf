import { operations } from "#lib/registry.ts";
import { inputOf } from "#lib/testing/conformance/scenarios.ts";
import type { Stage } from "#lib/testing/conformance/stage.ts";
import { callTool, givenOf } from "#lib/testing/conformance/tool-calls.ts";
import type { Ground } from "./ground.ts";
import { failureOf, type Ran, reasonOf } from "./operations.ts";

/** Every tool over MCP with an input that must succeed, once for each tenant. */
export async function callEveryTool({ app }: Ground, tenants: readonly Stage[]): Promise<Ran> {
  const run: Ran = { ran: 0, failures: [] };
  for (const [place, tenant] of tenants.entries()) {
    const key = await tenant.key();
    for (const { contract } of operations) {
      const { name, tool } = contract;
      if (!tool) continue;
      run.ran++;
      const reason = await reasonOf(async () => {
        const result = await callTool(app.url, key, tool.name, givenOf(tool, await inputOf(name, tenant)));
        if (result.isError) throw new Error(result.content[0]?.text);
        contract.output.parse(result.structuredContent);
      });
      if (reason) run.failures.push(failureOf(`tool ${tool.name} of tenant ${place + 1}`, reason));
    }
  }
  return run;
}
