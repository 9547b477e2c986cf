import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";

/** How long they are cached: addresses come and go with networks. */
const KNOWN_MS = 30_000;

type HostNames = { names: ReadonlySet<string>; until: number };
const hosts = singleton<HostNames>("own-hosts", () => ({ names: new Set(), until: 0 }));

/** This machine's own names and addresses. */
function ownNames(): ReadonlySet<string> {
  if (hosts.until > Date.now()) return hosts.names;
  const name = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  hosts.names = new Set([
    ...[name, `${name}.local`, name.split(".")[0] ?? name],
    ...addresses.map(({ address }) => URL.parse(`http://${bracketed(address)}`)?.hostname ?? address),
  ]);
  hosts.until = Date.now() + KNOWN_MS;
  return hosts.names;
}

const bracketed = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/**
 * The host of a Host header, as a URL has it, when it names this machine: loopback, an address of an interface, its
 * name or `HOST`. Null for any other, since its sender can choose anything.
 */
export function ownHost(header: string | undefined): string | null {
  if (header === undefined || !isHost(header)) return null;
  const url = URL.parse(`http://${header}`);
  if (!url) return null;
  const name = url.hostname.replace(/\.$/, "");
  const own = isLoopback(name) || name === getBoot().env.HOST.toLowerCase() || ownNames().has(name);
  return own ? url.host : null;
}

/** True for a host, as a URL has it, that leads to this machine wherever it is asked. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" ||
  name.endsWith(".localhost") ||
  name === "[::1]" ||
  (isIP(name) === 4 && (name.startsWith("127.") || name === "0.0.0.0"));

/** RFC 3986 host and port, without characters that real names never have. */
const HOST = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{0,255})(:\d{0,5})?$/;

/** True for a valid Host header; it may be empty. */
export const isHost = (header: string): boolean => HOST.test(header);
