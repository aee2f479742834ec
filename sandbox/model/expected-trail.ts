import { expect } from 'vitest'
import type { Subject, Whole } from './subject'

type Told = { type: string; payload: { data: Whole } }

/** The model of what one object leaves behind: the rows of the journal and the events there have to be, and no other. */
export class ExpectedTrail {
  readonly #effects: unknown[]
  /** The statuses its events have to tell, oldest first. */
  readonly #told: string[]

  /** `effect` is the row of the operation that made it in `status`, which is told twice. */
  constructor(effect: unknown, status: string) {
    this.#effects = [effect]
    this.#told = [status, status]
  }

  /** A row the journal has to have next. */
  effect(effect: unknown): void {
    this.#effects.push(effect)
  }

  /** The status that the next event has to tell. */
  event(status: string): void {
    this.#told.push(status)
  }

  /**
   * The journal has a row for each effect and no other; the events tell each change in its order, none of them older than the one before.
   * `isOther` leaves out events of changes that no ask and no table speaks of. `whole` is the object as it was last read.
   */
  async check({ client, resource }: Subject, whole: Whole, isOther: (before: Whole, after: Whole) => boolean = () => false): Promise<void> {
    const effects = await client.effects(whole.id)
    const rows = effects.map(({ operation, from, to, idempotency_key }) => ({ operation, from, to, idempotency_key }))
    expect(rows).toEqual(this.#effects)
    const { data: events } = await client.control<{ data: Told[] }>(`events?object_id=${whole.id}`)
    const told = events.map(({ payload }) => payload.data)
    const own = told.filter((data, place) => place === 0 || !isOther(told[place - 1] ?? data, data))
    expect(own.map(({ status }) => status)).toEqual(this.#told)
    expect(events.map(({ type }) => type)).toEqual(told.map((_, place) => `${resource}.${place === 0 ? 'created' : 'event'}.v1`))
    const times = told.map(({ updated_at }) => updated_at)
    expect(times).toEqual(times.toSorted())
    expect(times.at(-1)).toBe(whole.updated_at)
  }
}
