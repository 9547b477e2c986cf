import { hash } from "node:crypto";
import { type Identifier, identifierKey } from "#lib/domain/records/entities/service.ts";

/** Which rows of a file were about which identifier: two numbers each, so that a million rows fit into little memory. */
export class Seen {
  private readonly rows = new NumberTable();

  /**
   * The first row about one of these identifiers, which are remembered as this row's; null when this is the first. Taking a
   * row again changes nothing.
   */
  take(named: readonly Identifier[], row: number): number | null {
    const keys = named.map(keyOf);
    const first = keys.map((key) => this.rows.get(key)).find((row) => row !== undefined);
    for (const key of keys) this.rows.add(key, first ?? row);
    return first === row ? null : (first ?? null);
  }
}

/** 48 bits: two of a million identifiers share one in one file of 500. As text, because a buffer each costs more than the hash. */
const keyOf = (named: Identifier): number => Number.parseInt(hash("md5", identifierKey(named), "hex").slice(0, 12), 16);

const FIRST_SLOTS = 1_024;

/** More of the slots than this are never in use, so that a free one is found after a few steps. */
const MOST_FULL = 0.6;

/**
 * Positive numbers by keys of up to 53 bits. In two plain arrays: a million take 25 to 38 MB, which the collector of garbage
 * neither walks nor copies, where a `Map` takes up to three times as much.
 */
export class NumberTable {
  private keys = new Float64Array(FIRST_SLOTS);
  /** 0: the slot is free */
  private values = new Int32Array(FIRST_SLOTS);
  private size = 0;

  get(key: number): number | undefined {
    return this.values[this.slotOf(key)] || undefined;
  }

  /** Keeps the number, unless the key has one. */
  add(key: number, value: number): void {
    if (!(value > 0)) throw new RangeError(`${value} is not positive`);
    const slot = this.slotOf(key);
    if (this.values[slot] !== 0) return;
    this.keys[slot] = key;
    this.values[slot] = value;
    this.size++;
    if (this.size > this.values.length * MOST_FULL) this.grow();
  }

  /** Where the key is, or would be. */
  private slotOf(key: number): number {
    const last = this.values.length - 1; // the length is a power of two
    // Both halves count: keys that differ in one of them only are spread as well.
    let slot = (Math.imul((key % 2 ** 32) | 0, 0x9e3779b1) ^ Math.imul((key / 2 ** 32) | 0, 0x85ebca6b)) >>> 0;
    for (slot = (slot ^ (slot >>> 15)) & last; this.values[slot] !== 0 && this.keys[slot] !== key; )
      slot = (slot + 1) & last;
    return slot;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Float64Array(values.length * 2);
    this.values = new Int32Array(values.length * 2);
    for (let place = 0; place < values.length; place++) {
      if (values[place] === 0) continue;
      const slot = this.slotOf(keys[place] as number);
      this.keys[slot] = keys[place] as number;
      this.values[slot] = values[place] as number;
    }
  }
}
