import { announcedWorkspace, workspacesWithTriggers } from "#lib/auth/operator.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { type Ownership, ownership } from "#lib/db/ownership.ts";
import { hasWork } from "#lib/domain/integrations/triggers/service.ts";
import { subscribeToAll } from "#lib/live/announce.ts";
import { patience } from "./patience.ts";
import { LOOK_AHEAD_MS, Serving } from "./serving.ts";

const SCAN_PAUSE_MS = 5;
/** A workspace that another process serves is not asked for again within this time. */
const ELSEWHERE_MS = 2_000;

/**
 * Delivers events to triggers in this process. Each workspace is served by one process at a time, which holds its lock;
 * when the process dies the lock is free at once, and another process, or this one after its restart, goes on.
 */
class Dispatcher {
  private readonly served = new Map<WorkspaceId, Serving>();
  private readonly beginning = new Set<WorkspaceId>();
  private readonly withTriggers = new Set<string>();
  /** until when another process is taken to serve them */
  private readonly elsewhere = new Map<WorkspaceId, number>();
  private readonly timer: NodeJS.Timeout;
  private readonly unsubscribe: () => void;
  private readonly owned: Promise<Ownership>;
  private scanning: Promise<void> | null = null;
  private stopped = false;

  constructor() {
    this.unsubscribe = subscribeToAll((event) => {
      if (!event) return this.scan();
      const workspaceId = announcedWorkspace(event.workspaceId);
      const { topic } = event.announcement;
      if (topic === "triggers") this.serve(workspaceId, true);
      else if (topic === "events" && (this.served.has(workspaceId) || this.withTriggers.has(workspaceId)))
        this.serve(workspaceId, false);
    });
    this.owned = ownership("deliveries", { opened: () => this.scan(), lost: () => this.loseAll() });
    this.timer = setInterval(() => this.scan(), patience.scanMs).unref();
  }

  /** Resolves once it listens for events and has looked for what waits. */
  async ready(): Promise<void> {
    await this.owned;
    this.scan();
    await this.scanning;
  }

  /** Serves a workspace, if no other process does. `changed`: triggers or their queues did. */
  private serve(workspaceId: WorkspaceId, changed: boolean): void {
    const serving = this.served.get(workspaceId);
    if (serving) {
      if (changed) serving.reload();
      else serving.poke();
      return;
    }
    if (this.stopped || this.beginning.has(workspaceId)) return;
    if ((this.elsewhere.get(workspaceId) ?? 0) > Date.now()) return;
    this.withTriggers.add(workspaceId);
    this.beginning.add(workspaceId);
    void this.begin(workspaceId).finally(() => this.beginning.delete(workspaceId));
  }

  private async begin(workspaceId: WorkspaceId): Promise<void> {
    const owned = await this.owned;
    if (!(await owned.tryOwn(workspaceId)) || this.stopped) {
      this.elsewhere.set(workspaceId, Date.now() + ELSEWHERE_MS);
      return;
    }
    this.elsewhere.delete(workspaceId);
    const serving = new Serving(workspaceId, {
      done: () => {
        if (this.served.get(workspaceId) !== serving) return;
        this.served.delete(workspaceId);
        void owned.release(workspaceId);
      },
      hasTriggers: (has) => void (has ? this.withTriggers.add(workspaceId) : this.withTriggers.delete(workspaceId)),
    });
    this.served.set(workspaceId, serving);
    serving.poke();
  }

  private loseAll(): void {
    for (const serving of this.served.values()) void serving.stop();
    this.served.clear();
  }

  private scan(): void {
    if (this.stopped) return;
    this.scanning ??= this.look()
      .catch((error: unknown) => {
        if (!isUnavailable(error)) log.warn({ err: error }, "looking for deliveries failed");
      })
      .finally(() => {
        this.scanning = null;
      });
  }

  private async look(): Promise<void> {
    const workspaceIds = await workspacesWithTriggers();
    this.withTriggers.clear();
    for (const id of workspaceIds) this.withTriggers.add(id);
    for (const id of workspaceIds) {
      if (this.stopped) return;
      const serving = this.served.get(id);
      if (serving) serving.poke();
      else if (await hasWork(id, new Date(Date.now() + LOOK_AHEAD_MS))) this.serve(id, false);
      await new Promise((resolve) => setTimeout(resolve, SCAN_PAUSE_MS).unref());
    }
  }

  /** Ends what is under way, writes how it ended, and gives all workspaces back. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    clearInterval(this.timer);
    await this.scanning;
    await together([...this.served.values()].map((serving) => serving.stop()));
    await (await this.owned).stop();
  }
}

const state = singleton<{ running: Dispatcher | null }>("dispatcher", () => ({ running: null }));

/** Starts delivering events in this process; resolves once it does. */
export async function startDispatcher(): Promise<void> {
  state.running ??= new Dispatcher();
  await state.running.ready();
}

export async function stopDispatcher(): Promise<void> {
  const { running } = state;
  state.running = null;
  await running?.stop();
}
