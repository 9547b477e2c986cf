import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import type { Counts, Proof } from "#lib/domain/workspace/backups/service.ts";
import { readEnv } from "#lib/settings/env.ts";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";

type Json = { json?: true };

/** These open no database of their own accord: `restore` is for when there is none. */
const closed = { database: "closed" } as const;

export function addBackupCommands(admin: Command, perform: Perform): void {
  const backup = admin
    .command("backup")
    .description("Back up the embedded database while it runs, list backups, verify one.");
  backup
    .command("make", { isDefault: true })
    .description("Write a backup of the whole database into a new folder below <folder>.")
    .argument("<folder>", "where backups are kept: a folder, such as a mounted disk, or s3://bucket/prefix")
    .option("--json", "print one JSON object")
    .action((folder: string, _: Json) => perform(() => make(folder), closed));
  backup
    .command("list")
    .description("List the backups in <folder>, newest first, with their last proof.")
    .argument("<folder>", "where backups are kept: a folder, or s3://bucket/prefix")
    .option("--json", "print one JSON object")
    .action((folder: string, _: Json) => perform(() => list(folder), closed));
  backup
    .command("verify")
    .description(
      "Restore a backup into a temporary folder, start it, and derive records again from their evidence; there should be no difference.",
    )
    .argument("<backup>", "one backup, as list names it")
    .option("--json", "print one JSON object")
    .action((folder: string, _: Json) => perform(() => verify(folder), closed));
  backup
    .command("key")
    .description("Print a new key for BACKUP_KEY, which seals backups.")
    .option("--json", "print one JSON object")
    .action((_: Json) => perform(key, closed));
  backup
    .command("keep")
    .description(
      "What the running server does automatically with BACKUP_TO and BACKUP_EVERY: make what is due, remove old ones, verify one a week.",
    )
    .option("--json", "print one JSON object")
    .action((_: Json) => perform(keep, closed));
  admin
    .command("restore")
    .description("Restore a backup into a data folder that has no database.")
    .argument("<backup>", "one backup, as list names it")
    .option(
      "--at <time>",
      "a moment after it that the archived log reaches, such as 2026-11-26T08:30:00Z, or latest",
      moment,
    )
    .requiredOption("--into <folder>", "an empty folder, or a new one: the data folder to start Rapport with")
    .option("--json", "print one JSON object")
    .action((folder: string, { into, at }: Json & { into: string; at?: string }) =>
      perform(() => restore(folder, into, at), closed),
    );
}

/** A moment with its time zone, in UTC; `latest` is the last one that the archived log has. */
function moment(text: string): string {
  if (text === "latest") return text;
  const parsed = z.iso.datetime({ offset: true }).safeParse(text);
  if (parsed.success) return new Date(parsed.data).toISOString();
  throw new InvalidArgumentError(`expected a moment with its time zone, such as 2026-11-26T08:30:00Z, or latest.`);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

const rows = (counts: Counts): [string, string][] =>
  Object.entries(counts).map(([name, count]) => [name, count.toLocaleString("en")]);

const service = () => import("#lib/domain/workspace/backups/service.ts");

/** The services, after which a signal leaves no database running. */
async function undisturbed(): Promise<Awaited<ReturnType<typeof service>>> {
  const loaded = await service();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => void loaded.abandonProofs().finally(() => process.exit(1)));
  return loaded;
}

const WITHOUT_SECRETS = "Without it everyone signs in again, and connections to other systems have to be made again.";

async function key(): Promise<Result> {
  const made = await (await service()).makeKey();
  return {
    value: { key: made },
    text: `${made}\nSet it as BACKUP_KEY, and keep a copy apart from the backups: what is sealed with it cannot be opened without it.`,
  };
}

async function make(into: string): Promise<Result> {
  const env = readEnv();
  const { address, manifest, dataDir } = await (await service()).backUp(env, into, operatorName());
  const isSealed = env.BACKUP_KEY !== undefined;
  const { made_at, seconds, database, counts } = manifest;
  return {
    value: { backup: address, made_at, seconds, bytes: database.bytes, rows: counts.after },
    text: `${table([
      ["backup", address],
      ["as of", made_at],
      ["size", `${megabytes(database.bytes)} (${megabytes(database.unpacked)} unpacked), in ${seconds.toFixed(1)} s`],
      ...rows(counts.after),
    ])}\n${isSealed ? "It is sealed: it does not open without BACKUP_KEY. " : ""}Secrets are not in it. Keep a copy of ${path.join(dataDir, "secrets.json")}${isSealed ? " and of the key" : ""} in another place. ${WITHOUT_SECRETS}`,
  };
}

async function list(folder: string): Promise<Result> {
  const { addressIn, listBackups, momentsOf, openStorage } = await service();
  const storage = openStorage(folder, readEnv());
  const backups = await Promise.all(
    (await listBackups(storage)).map(async (each) => ({
      ...each,
      backup: addressIn(storage, each.name),
      moments: await momentsOf(each, each.manifest),
    })),
  );
  const proofOf = (proof: Proof | null) =>
    proof ? `${proof.wrong.length === 0 ? "verified" : "NOT WHOLE"} ${proof.verified_at}` : "not verified";
  return {
    value: {
      backups: backups.map(({ backup, manifest, moments, proof }) => ({
        backup,
        made_at: manifest.made_at,
        bytes: manifest.database.bytes,
        moments,
        proof,
      })),
    },
    text:
      backups.length === 0
        ? `There are no backups in ${folder}.`
        : table(
            backups.map(({ backup, manifest: { made_at, database }, moments, proof }): [string, string] => [
              backup,
              `${made_at}, ${megabytes(database.bytes)}, ${proofOf(proof)}${moments ? `, --at ${moments.from} to ${moments.until}` : ""}`,
            ]),
          ),
  };
}

async function restore(backup: string, into: string, at: string | undefined): Promise<Result> {
  const {
    dataDir,
    moment: asOf,
    counts,
    hasSecrets,
  } = await (await service()).restoreInto(readEnv(), backup, {
    into,
    at,
    operator: operatorName(),
  });
  const secrets = hasSecrets
    ? ""
    : `\nPut the secrets.json of the lost installation into ${dataDir} before you start. ${WITHOUT_SECRETS}`;
  return {
    value: { data_folder: dataDir, as_of: asOf, rows: counts, has_secrets: hasSecrets },
    text: `${table([["restored", dataDir], ["as of", asOf], ...rows(counts)])}\nStart it with RAPPORT_DATA_DIR=${dataDir}.${secrets}`,
  };
}

async function verify(folder: string): Promise<Result> {
  const { openBackup, verifyBackup } = await undisturbed();
  const proof = await verifyBackup(readEnv(), openBackup(folder, readEnv()), operatorName());
  const isWhole = proof.wrong.length === 0;
  return {
    value: { ...proof },
    text: `${
      isWhole ? "The backup was restored and is whole." : `The backup is not whole: ${proof.wrong.join(" ")}`
    }\n${table([
      ...rows(proof.counts),
      ["records derived again", proof.entities.toLocaleString("en")],
      ["differences", proof.different.toLocaleString("en")],
      ["took", `${proof.seconds.toFixed(1)} s`],
    ])}`,
    exit: isWhole ? 0 : 1,
  };
}

async function keep(): Promise<Result> {
  const { keepBackups } = await undisturbed();
  const { busy, made, removed, proof } = await keepBackups(readEnv(), operatorName());
  const isWhole = !proof || proof.wrong.length === 0;
  const lines: string[] = [
    ...(busy ? ["Another process does it."] : []),
    ...(made === null ? [] : [`Made ${made}.`]),
    ...removed.map((name) => `Removed ${name}.`),
    ...(proof ? [isWhole ? "The newest backup was restored and is whole." : proof.wrong.join(" ")] : []),
  ];
  return {
    value: { busy, made, removed, proof },
    text: lines.length === 0 ? "Nothing was due." : lines.join("\n"),
    exit: isWhole ? 0 : 1,
  };
}
