import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { type EndedAttempt, runRound } from "#lib/domain/integrations/triggers/service.ts";
import { Lane } from "./lane.ts";

/** A workspace stays with its process while something of it is due within this time. */
export const LOOK_AHEAD_MS = 30_000;
/** What happens within this time is written together. */
const GATHER_MS = 4;
const AGAIN_MS = 1_000;
/** How long a stop waits for requests that are under way. */
const STOP_MS = 2_000;

type Listener = {
  /** nothing is left to do for now */
  done(): void;
  hasTriggers(has: boolean): void;
};

/** Delivers the events of one workspace, a lane for each of its triggers. */
export class Serving {
  private readonly workspaceId: WorkspaceId;
  private readonly listener: Listener;
  private readonly lanes = new Map<string, Lane>();
  private readonly leaving = new AbortController();
  private ended: EndedAttempt[] = [];
  private timer: NodeJS.Timeout | null = null;
  private resting: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  /** after how long another round follows the present one; 0: none does yet */
  private againMs = 0;
  private retired = false;

  constructor(workspaceId: WorkspaceId, listener: Listener) {
    this.workspaceId = workspaceId;
    this.listener = listener;
  }

  /** Events wait, attempts have ended, or something is due. */
  poke(afterMs = GATHER_MS): void {
    if (this.retired) return;
    if (this.round) {
      this.againMs = Math.max(this.againMs, afterMs);
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.round = this.run().finally(() => {
        this.round = null;
        const { againMs } = this;
        this.againMs = 0;
        if (againMs > 0) this.poke(againMs);
      });
    }, afterMs);
  }

  /** A person changed triggers or their queues: what was read ahead no longer counts. */
  reload(): void {
    for (const lane of this.lanes.values()) lane.forget();
    this.poke();
  }

  private async run(): Promise<void> {
    const ended = this.ended;
    this.ended = [];
    try {
      const { triggers, queued, more } = await runRound(this.workspaceId, ended, ({ id }) => this.isIdle(id));
      this.listener.hasTriggers(triggers.length > 0);
      const triggerIds = new Set(triggers.map(({ id }) => id));
      for (const [id, lane] of this.lanes) {
        if (triggerIds.has(id)) continue;
        lane.forget();
        this.lanes.delete(id);
      }
      for (const trigger of triggers) {
        const next = queued.filter(({ triggerId }) => triggerId === trigger.id);
        this.laneOf(trigger.id).take(trigger, next, this.isWritten(trigger.id));
      }
      if (more) this.poke();
      this.rest();
    } catch (error) {
      this.ended = [...ended, ...this.ended];
      if (!isUnavailable(error)) log.error({ err: error, workspace_id: this.workspaceId }, "delivering events failed");
      this.poke(AGAIN_MS);
    }
  }

  private laneOf(id: string): Lane {
    const ownLane = this.lanes.get(id);
    if (ownLane) return ownLane;
    const lane = new Lane(this.leaving.signal, (ended) => {
      if (ended) this.ended.push(ended);
      this.poke();
    });
    this.lanes.set(id, lane);
    return lane;
  }

  /** Whether a trigger's next deliveries are to be read: how those before ended has been written. */
  private isIdle(id: string): boolean {
    return (this.lanes.get(id)?.isIdle ?? true) && this.isWritten(id);
  }

  private isWritten(id: string): boolean {
    return !this.ended.some(({ triggerId }) => triggerId === id);
  }

  /** Ends when nothing is due soon. */
  private rest(): void {
    if (this.resting) clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      const soon = Date.now() + LOOK_AHEAD_MS;
      const rests = [...this.lanes.values()].every((lane) => lane.restsUntil(soon));
      if (!rests || this.round || this.timer || this.ended.length > 0) return this.rest();
      this.retire();
      this.listener.done();
    }, LOOK_AHEAD_MS).unref();
  }

  /** Begins nothing more. */
  retire(): void {
    this.retired = true;
    if (this.timer) clearTimeout(this.timer);
    if (this.resting) clearTimeout(this.resting);
    for (const lane of this.lanes.values()) lane.retire();
  }

  /** Lets what is under way end for a moment, and writes how it ended. */
  async stop(): Promise<void> {
    this.retire();
    const timer = setTimeout(() => this.leaving.abort(), STOP_MS);
    for (const lane of this.lanes.values()) await lane.settled();
    clearTimeout(timer);
    await this.round;
    const { ended } = this;
    this.ended = [];
    if (ended.length === 0) return;
    await runRound(this.workspaceId, ended, () => false).catch((error: unknown) =>
      log.warn({ err: error, workspace_id: this.workspaceId }, "how deliveries ended could not be written"),
    );
  }
}
