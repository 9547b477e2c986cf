import { log } from "#lib/core/log.ts";
import { deliver, type EndedAttempt, type Round } from "#lib/domain/integrations/triggers/service.ts";

type Trigger = Round["triggers"][number];
type QueuedDelivery = Round["queued"][number];

/** The longest time a timer is set for; then it is looked at again. */
const MOST_MS = 60_000;

/**
 * The deliveries of one trigger, one after the other: the next one begins when the one before was accepted or given up.
 */
export class Lane {
  private readonly signal: AbortSignal;
  private readonly tell: (ended: EndedAttempt | null) => void;
  private trigger: Trigger | null = null;
  private queue: QueuedDelivery[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private retired = false;

  constructor(signal: AbortSignal, tell: (ended: EndedAttempt | null) => void) {
    this.signal = signal;
    this.tell = tell;
  }

  /** Nothing is being sent, and nothing was read ahead. */
  get isIdle(): boolean {
    return this.sending === null && this.queue.length === 0;
  }

  /**
   * The trigger as it is now, and what waits for it where that was read. `settled`: how its attempts ended is written;
   * else the lane has newer figures about the target.
   */
  take(trigger: Trigger, next: readonly QueuedDelivery[], settled: boolean): void {
    const current = this.trigger;
    const { failingSince, givenUp } = current && !(settled && this.sending === null) ? current : trigger;
    this.trigger = { ...trigger, failingSince, givenUp };
    if (this.isIdle && next.length > 0) this.queue = [...next];
    if (trigger.status !== "active") this.forget();
    this.go();
  }

  /** Drops what was read ahead; what is being sent ends. */
  forget(): void {
    this.queue = [];
    this.clearTimer();
  }

  /** Whether nothing is due before a time. */
  restsUntil(time: number): boolean {
    const [head] = this.queue;
    return this.sending === null && (!head || head.nextAt.getTime() > time);
  }

  retire(): void {
    this.retired = true;
    this.forget();
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private go(): void {
    const [head] = this.queue;
    if (this.sending || this.retired || !head || !this.trigger) return;
    const wait = head.nextAt.getTime() - Date.now();
    this.clearTimer();
    if (wait > 0) {
      this.timer = setTimeout(() => this.go(), Math.min(wait, MOST_MS)).unref();
      return;
    }
    this.queue.shift();
    this.sending = this.send(this.trigger, head);
  }

  private async send(trigger: Trigger, head: QueuedDelivery): Promise<void> {
    const ended = await this.attempt(trigger, head);
    this.sending = null;
    if (ended && this.trigger) Object.assign(this.trigger, ended.standing);
    if (ended?.status !== "delivered" && ended?.status !== "failed") this.forget(); // it is the first again once that is written
    if (ended) this.tell(ended);
    else if (!this.retired) this.timer = setTimeout(() => this.tell(null), MOST_MS).unref();
    this.go();
  }

  /** Null: it could not be tried for reasons of our own. */
  private async attempt(trigger: Trigger, head: QueuedDelivery): Promise<EndedAttempt | null> {
    try {
      const ended = await deliver(trigger, head, trigger, this.signal);
      return this.signal.aborted && !ended.attempt.ok ? null : ended;
    } catch (error) {
      log.error({ err: error, trigger_id: trigger.id }, "a delivery could not be tried");
      return null;
    }
  }

  private clearTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
