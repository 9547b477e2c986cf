import { createServer, type Server } from "node:net";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { startCommand } from "./project.ts";

/** Fails in one line when the address cannot be listened on; called before the slow part of a start. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

/** Listens and returns the port, which the system chose when `port` is 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explain(error, port, host));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.removeListener("error", fail);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

function explain({ code, message }: NodeJS.ErrnoException, port: number, host: string): OperatorError {
  if (code === "EADDRINUSE") {
    return new OperatorError(
      `Port ${port} is in use. Stop the program that uses it, or choose another: PORT=${port + 1} ${startCommand}`,
    );
  }
  if (code === "EACCES")
    return new OperatorError(`Port ${port} needs root. Choose one above 1023: PORT=3000 ${startCommand}`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new OperatorError(
      `HOST is "${host}", which is not an address of this machine. HOST=0.0.0.0 listens on all of them.`,
    );
  }
  return new OperatorError(`Cannot listen on ${host}:${port}: ${message}`);
}

/** The address to open in a browser. */
export function addressOf(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::" || host === "127.0.0.1" || host === "::1";
  return `http://${everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
