/** Endpoints that take webhooks: they count what comes, and how long it is behind its cause. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Body = { timestamp: string; data: { workspace_id: string; external_id: string | null } };

let received = 0;
let seen = new Set<string>();
let lags: number[] = [];

const [, , count = "1"] = process.argv;
const ports: number[] = [];
for (let each = 0; each < Number(count); each++) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(200).end("ok");
    const { timestamp, data } = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    received++;
    const before = seen.size;
    seen.add(`${data.workspace_id} ${data.external_id ?? received}`);
    if (seen.size > before) lags.push(Date.now() - Date.parse(timestamp));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ports.push((server.address() as AddressInfo).port);
}

process.on("message", ({ reset }: { reset: boolean }) => {
  if (reset) {
    received = 0;
    seen = new Set();
    lags = [];
  }
  process.send?.({ received, distinct: seen.size, lags });
});
process.send?.({ ports });
