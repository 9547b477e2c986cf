/** Ports of servers that tests start. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once something listens there. */
export async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const open = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    await sleep(20);
  }
}
