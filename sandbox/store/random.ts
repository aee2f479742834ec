/**
 * A small random generator with a seed (mulberry32, public domain). Use it for invented data and
 * for the probability of faults, never for secrets.
 */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixedState = this.#state
    mixedState = Math.imul(mixedState ^ (mixedState >>> 15), mixedState | 1)
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61)
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Both bounds are inclusive. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    const pickedItem = list[this.int(0, list.length - 1)]
    if (pickedItem === undefined) throw new RangeError('nothing to pick from')
    return pickedItem
  }

  hex(length: number): string {
    let hexDigits = ''
    while (hexDigits.length < length)
      hexDigits += Math.floor(this.next() * 0x10000)
        .toString(16)
        .padStart(4, '0')
    return hexDigits.slice(0, length)
  }

  digits(length: number): string {
    return Array.from({ length }, () => this.int(0, 9)).join('')
  }

  /**
   * Returns a UUID in the layout of version 7: the first 48 bits are `at` in milliseconds, so that
   * ids sort by time.
   */
  uuid(at: number): string {
    const timeHex = Math.floor(at).toString(16).padStart(12, '0')
    return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${this.hex(3)}-${'89ab'[this.int(0, 3)]}${this.hex(3)}-${this.hex(12)}`
  }
}
