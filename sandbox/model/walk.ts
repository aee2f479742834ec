import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { judge, type Machine } from '@/sandbox/machine'
import type { Answer, SandboxClient } from '@/sandbox/testing/sandbox-client'
import type { Tally } from './tally'

/** A resource as a read gives it. */
export type Whole = Record<string, unknown> & { id: string; status: string; updated_at: string }

/** One write; the headers hold its Idempotency-Key. */
export type Send = (headers: Record<string, string>) => Promise<Answer>

/** A move that is asked for. */
export type Ask = {
  move: string
  /** The word of the journal; a decision of the service's compliance has none. */
  operation?: string
  send: Send
  /** The words of a refusal for another reason than the state. */
  veto?: RegExp | undefined
  /** Asking for a state that is there already is a change all the same, of other fields. */
  alreadyWrites?: boolean
  /** The answer is this object as it was before. */
  answersBefore?: boolean
  /** The state it ends in where the table knows only a wider one. */
  lands?: string | undefined
  /** What is asked for runs already, so that nothing changes. */
  idle?: boolean
  /** The effect is another object's; whether this one changes as well. */
  elsewhere?: { changes: boolean }
}

/** What a walk is about: the table that says what may happen, where the object is read, and what tells its states apart. */
export type Subject = {
  client: SandboxClient
  table: Machine
  path: string
  /** The resource's word in event types. */
  resource: string
  noun?: string
  stateOf?: (whole: Whole) => string
  tally: Tally
}

type Told = { type: string; payload: { data: Whole } }

/**
 * Follows one object through a random sequence: it judges by the table alone what each ask has to do, looks at the whole object after it, and
 * remembers every effect and event there has to be.
 */
export class Walk {
  readonly #subject: Subject
  readonly #effects: unknown[]
  /** The statuses its events have to tell, oldest first. */
  readonly #told: string[]
  #whole: Whole
  #repeat: (() => Promise<Answer>) | undefined
  #first: Answer | undefined

  /** `made` is the answer of the operation that made it, which told of it twice. */
  private constructor(subject: Subject, made: Whole, effect: unknown) {
    this.#subject = subject
    this.#whole = made
    this.#effects = [effect]
    this.#told = [made.status, made.status]
  }

  /** Makes the object by the operation named and begins to follow it. */
  static async begin(subject: Subject, operation: string, send: Send): Promise<Walk> {
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    expect([operation, answer.status, answer.json.error]).toEqual([operation, 201, undefined])
    const data = answer.json.data
    const made = (Array.isArray(data) ? data[0] : data) as Whole
    const walk = new Walk(subject, made, { operation, from: '', to: made.status, idempotency_key: key })
    walk.#remember(key, send, answer)
    await walk.look(() => undefined)
    return walk
  }

  /** The object as it was last read. */
  get whole(): Whole {
    return this.#whole
  }

  /** Its state in the words of the table. */
  get state(): string {
    return this.#subject.stateOf?.(this.#whole) ?? this.#whole.status
  }

  /** The status an event has to tell that something else than an ask of the table makes. */
  expectEvent(status: string = this.#whole.status): void {
    this.#told.push(status)
  }

  /** Reads the object anew after something that was not asked of it by the table; `check` compares it with what it was. */
  async look(check: (before: Whole, after: Whole) => void): Promise<void> {
    const before = this.#whole
    const after = await this.#read()
    check(before, after)
    expect(after.updated_at >= before.updated_at).toBe(true)
    this.#whole = after
  }

  /** Asks for a move and checks that it did what the table says, and nothing when the table or a veto refuses it. Gives what it did. */
  async ask(ask: Ask): Promise<'moves' | 'already' | 'refused'> {
    const verdict = judge(this.#subject.table, ask.move, this.state)
    this.#subject.tally.note(ask.move, this.state)
    const [key, before] = [randomUUID(), this.#whole]
    const answer = await ask.send({ 'idempotency-key': key })
    if (ask.operation) this.#remember(key, ask.send, answer)
    if (verdict === 'refused' || ask.veto) {
      await this.#expectRefusal(ask, answer, verdict === 'refused' ? this.#sentence(ask.move) : (ask.veto ?? /$^/))
      return 'refused'
    }
    expect([ask.move, this.state, answer.status < 300 || answer.json.error]).toEqual([ask.move, this.state, true])
    await this.#expectDone(ask, verdict, key)
    if (!ask.elsewhere) expect(answer.json.data).toEqual(ask.answersBefore ? before : this.#whole)
    return verdict
  }

  /** A move that something else made because of another object; false when the table does not allow it, and then it must not have happened. */
  async follow(move: string): Promise<boolean> {
    const [{ table, tally }, from] = [this.#subject, this.state]
    if (judge(table, move, from) !== 'moves') {
      await this.look((before, after) => expect(after).toEqual(before))
      return false
    }
    tally.note(move, from)
    await this.look(() => undefined)
    expect([move, from, this.state]).toEqual([move, from, table.moves[move]?.to])
    this.expectEvent()
    return true
  }

  /** A write that every state allows and that leaves the state as it is. */
  async write(operation: string, send: Send): Promise<void> {
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    this.#remember(key, send, answer)
    const { status } = this.#whole
    await this.look((_, after) => expect([answer.json.error, after.status, after]).toEqual([undefined, status, answer.json.data]))
    this.#effects.push({ operation, from: status, to: status, idempotency_key: key })
    this.expectEvent()
  }

  /** Asks for the move that removes the object: the answer and its event show it as it was, the journal says it is deleted. */
  async remove({ move, operation = '', send }: Ask): Promise<void> {
    const { status } = this.#whole
    expect(judge(this.#subject.table, move, this.state)).toBe('moves')
    this.#subject.tally.note(move, this.state)
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    expect([answer.status, answer.json.data]).toEqual([200, this.#whole])
    this.#effects.push({ operation, from: status, to: 'deleted', idempotency_key: key })
    this.expectEvent()
  }

  /** Sends the last write once more: the same answer, said to be a replay, and nothing changed. */
  async repeat(): Promise<void> {
    const answer = await this.#repeat?.()
    if (!answer) return
    expect([answer.status, answer.text]).toEqual([this.#first?.status, this.#first?.text])
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    await this.look((before, after) => expect(after).toEqual(before))
  }

  /**
   * At the end: the journal has a row for each effect and no other; the events tell each change in its order, none of them older than the one
   * before. `isOther` leaves out events of changes that no ask and no table speaks of.
   */
  async finish(isOther: (before: Whole, after: Whole) => boolean = () => false): Promise<void> {
    const { client, resource } = this.#subject
    const effects = await client.effects(this.#whole.id)
    const rows = effects.map(({ operation, from, to, idempotency_key }) => ({ operation, from, to, idempotency_key }))
    expect(rows).toEqual(this.#effects)
    const { data: events } = await client.control<{ data: Told[] }>(`events?object_id=${this.#whole.id}`)
    const told = events.map(({ payload }) => payload.data)
    const own = told.filter((data, place) => place === 0 || !isOther(told[place - 1] ?? data, data))
    expect(own.map(({ status }) => status)).toEqual(this.#told)
    expect(events.map(({ type }) => type)).toEqual(told.map((_, place) => `${resource}.${place === 0 ? 'created' : 'event'}.v1`))
    const times = told.map(({ updated_at }) => updated_at)
    expect(times).toEqual(times.toSorted())
    expect(times.at(-1)).toBe(this.#whole.updated_at)
  }

  async #read(): Promise<Whole> {
    const answer = await this.#subject.client.ask(this.#subject.path.replace(':id', this.#whole.id))
    expect([this.#subject.path, answer.status]).toEqual([this.#subject.path, 200])
    return this.#subject.path.includes(':id') ? (answer.json.data as Whole) : this.#inList(answer)
  }

  /** An object that is read in a list only. */
  #inList(answer: Answer): Whole {
    const found = (answer.json.data as Whole[]).find(({ id }) => id === this.#whole.id)
    if (!found) throw new Error(`${this.#whole.id} is not in the list`)
    return found
  }

  #remember(key: string, send: Send, answer: Answer): void {
    this.#repeat = () => send({ 'idempotency-key': key })
    this.#first = answer
  }

  /** The sentence of the table's refusal: it names the state it is in and the states it may start from. */
  #sentence(move: string): RegExp {
    const { table, noun = table.noun } = this.#subject
    const { from, done } = table.moves[move] ?? { from: [], done: '' }
    return new RegExp(`^An? ${noun} in status ${this.state} cannot be ${done}; it must be in ${from.join(' or ')}\\.$`)
  }

  async #expectRefusal({ move }: Ask, answer: Answer, sentence: RegExp): Promise<void> {
    expect([move, this.state, answer.status]).toEqual([move, this.state, 422])
    expect(answer.json.error?.detail).toMatch(sentence)
    await this.look((before, after) => expect(after).toEqual(before))
  }

  async #expectDone(ask: Ask, verdict: 'moves' | 'already', key: string): Promise<void> {
    if (ask.elsewhere) {
      await this.look((before, after) => expect(after.status).toBe(before.status))
      if (ask.elsewhere.changes) this.expectEvent()
    } else if (ask.idle || (verdict === 'already' && !ask.alreadyWrites)) {
      await this.look((before, after) => expect(after).toEqual(before))
    } else await this.#expectMove(ask, key)
  }

  async #expectMove({ move, operation, lands }: Ask, key: string): Promise<void> {
    const { table } = this.#subject
    const [from, { status }] = [this.state, this.#whole]
    const to = lands ?? table.moves[move]?.to
    await this.look(() => undefined)
    expect([move, from, this.state]).toEqual([move, from, to === 'same' ? from : to])
    if (operation) this.#effects.push({ operation, from: status, to: this.#whole.status, idempotency_key: key })
    this.expectEvent()
  }
}
