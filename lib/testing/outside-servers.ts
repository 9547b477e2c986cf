/** Servers that tests start and that npm does not bring: which are here, and how to get the others. */
import { existsSync } from "node:fs";
import { mayMount } from "./small-disk.fixture.ts";

export type OutsideServer = { name: string; binary: string; package: string };

export const dovecot: OutsideServer = { name: "Dovecot", binary: "/usr/sbin/dovecot", package: "dovecot-imapd" };

export const radicale: OutsideServer = { name: "Radicale", binary: "/usr/bin/radicale", package: "radicale" };

const servers: readonly OutsideServer[] = [dovecot, radicale];

const demanded = ["1", "true"].includes(process.env.CI ?? "");

/** Whether tests with it are left out: it is not here. In CI they run, and fail without it. */
export const leftOut = ({ binary }: OutsideServer): boolean => !demanded && !existsSync(binary);

/** A line for each server whose tests are left out, and for those that need a disk of their own. */
export const leftOutLines = (): string[] => [
  ...servers
    .filter(leftOut)
    .map(
      ({ name, package: wanted }) => `Tests with ${name} did not run: it is not installed (apt-get install ${wanted}).`,
    ),
  ...(mayMount() ? [] : ["Tests on a full disk did not run: this user may not mount one."]),
];
