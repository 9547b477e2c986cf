/** The app that is measured: how it is asked, and what it takes of the machine. */
import { readFile } from "node:fs/promises";
import type { Installation } from "#lib/testing/installation.fixture.ts";

export type Mailbox = { id: string; state: string; kept: number; synced_at: string | null; message: string | null };

/** Asks as the owner of a new workspace. */
export async function openWorkspace({ url, createWorkspace, ownersLogin }: Installation) {
  const { id: workspaceId, key } = await createWorkspace();
  await ownersLogin(workspaceId);
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url()}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const mailboxes = async (): Promise<Mailbox[]> => {
    const all = (await ask<{ mailboxes: Mailbox[] }>("/v2/me/mailboxes")).mailboxes;
    for (const { message } of all) if (message) throw new Error(message);
    return all;
  };
  return { ask, mailboxes };
}

export async function memoryMiB(pid: number): Promise<number> {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

/** What a process takes at most from now on, until the returned function is called. */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const take = () => void memoryMiB(pid).then((now) => (most = Math.max(most, now)));
  const watching = setInterval(take, 50);
  return () => {
    clearInterval(watching);
    return most;
  };
}

/** Of a process, all threads; `ofMain`: of the thread that answers requests. Linux counts in hundredths of a second. */
export async function cpuMs(pid: number, { ofMain = false } = {}): Promise<number> {
  const stat = await readFile(ofMain ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`, "utf8");
  const fields = stat.split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
