import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { assessMove } from '@/sandbox/machine'
import type { Answer } from '@/tests/sandbox/sandbox-client'
import { ExpectedTrail } from './expected-trail'
import type { ModelSubject, MoveRequest, Send, ServiceObject } from './subject'

/**
 * Follows one object through a random sequence of requests. Derives the expected result of each from the state machine alone, compares the
 * whole object, and records the expected journal rows and events.
 */
export class ObjectModel {
  readonly #subject: ModelSubject
  readonly #trail: ExpectedTrail
  #whole: ServiceObject
  #repeat: (() => Promise<Answer>) | undefined
  #first: Answer | undefined

  /** `made` is the object in the response of the creation. */
  private constructor(subject: ModelSubject, made: ServiceObject, effect: unknown) {
    this.#subject = subject
    this.#whole = made
    this.#trail = new ExpectedTrail(effect, made.status)
  }

  /** Creates the object with `operation` and returns its model. */
  static async begin(subject: ModelSubject, operation: string, send: Send): Promise<ObjectModel> {
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    expect([operation, answer.status, answer.json.error]).toEqual([operation, 201, undefined])
    const data = answer.json.data
    const createdObject = (Array.isArray(data) ? data[0] : data) as ServiceObject
    const model = new ObjectModel(subject, createdObject, { operation, from: '', to: createdObject.status, idempotency_key: key })
    model.#remember(key, send, answer)
    await model.look(() => undefined)
    return model
  }

  get whole(): ServiceObject {
    return this.#whole
  }

  /** The object's state in the state machine. */
  get state(): string {
    return this.#subject.stateOf?.(this.#whole) ?? this.#whole.status
  }

  /** Expects an event that no request of this model causes. `status` is the object's status in it. */
  expectEvent(status: string = this.#whole.status): void {
    this.#trail.event(status)
  }

  /** Reads the object again after a change that no request of this model caused. `check` compares it with the previous read. */
  async look(check: (before: ServiceObject, after: ServiceObject) => void): Promise<void> {
    const objectBefore = this.#whole
    const objectAfter = await this.#read()
    check(objectBefore, objectAfter)
    expect(objectAfter.updated_at >= objectBefore.updated_at).toBe(true)
    this.#whole = objectAfter
  }

  /**
   * Requests a move and compares the result with the state machine. A refused or vetoed move must change nothing. Returns `refused` for
   * both, otherwise what the move did.
   */
  async ask(ask: MoveRequest): Promise<'moves' | 'already' | 'refused'> {
    const verdict = assessMove(this.#subject.table, ask.move, this.state)
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

  /** Checks a move that another object caused. Returns false if the state machine refuses it; the object must then be unchanged. */
  async follow(move: string): Promise<boolean> {
    const [{ table, tally }, from] = [this.#subject, this.state]
    if (assessMove(table, move, from) !== 'moves') {
      await this.look((before, after) => expect(after).toEqual(before))
      return false
    }
    tally.note(move, from)
    await this.look(() => undefined)
    expect([move, from, this.state]).toEqual([move, from, table.moves[move]?.to])
    this.expectEvent()
    return true
  }

  /** Sends a write that every status allows and that keeps the status. */
  async write(operation: string, send: Send): Promise<void> {
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    this.#remember(key, send, answer)
    const { status } = this.#whole
    await this.look((_, after) => expect([answer.json.error, after.status, after]).toEqual([undefined, status, answer.json.data]))
    this.#trail.effect({ operation, from: status, to: status, idempotency_key: key })
    this.expectEvent()
  }

  /**
   * Sends the request that deletes the object. Response and event must contain the object as it was, and the journal row the status
   * `deleted`.
   */
  async remove({ move, operation = '', send }: MoveRequest): Promise<void> {
    const { status } = this.#whole
    expect(assessMove(this.#subject.table, move, this.state)).toBe('moves')
    this.#subject.tally.note(move, this.state)
    const key = randomUUID()
    const answer = await send({ 'idempotency-key': key })
    expect([answer.status, answer.json.data]).toEqual([200, this.#whole])
    this.#trail.effect({ operation, from: status, to: 'deleted', idempotency_key: key })
    this.expectEvent()
  }

  /** Repeats the last write. The response must be the same, marked as a replay, and the object must not change. */
  async repeat(): Promise<void> {
    const answer = await this.#repeat?.()
    if (!answer) return
    expect([answer.status, answer.text]).toEqual([this.#first?.status, this.#first?.text])
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    await this.look((before, after) => expect(after).toEqual(before))
  }

  /**
   * Checks journal and events at the end of the sequence. `isOther` selects events of changes outside the state machine, which are skipped.
   */
  finish(isOther?: (before: ServiceObject, after: ServiceObject) => boolean): Promise<void> {
    return this.#trail.check(this.#subject, this.#whole, isOther)
  }

  async #read(): Promise<ServiceObject> {
    const answer = await this.#subject.client.ask(this.#subject.path.replace(':id', this.#whole.id))
    expect([this.#subject.path, answer.status]).toEqual([this.#subject.path, 200])
    return this.#subject.path.includes(':id') ? (answer.json.data as ServiceObject) : this.#inList(answer)
  }

  /** Returns the object from a list, for objects that cannot be read singly. */
  #inList(answer: Answer): ServiceObject {
    const foundObject = (answer.json.data as ServiceObject[]).find(({ id }) => id === this.#whole.id)
    if (!foundObject) throw new Error(`${this.#whole.id} is not in the list`)
    return foundObject
  }

  #remember(key: string, send: Send, answer: Answer): void {
    this.#repeat = () => send({ 'idempotency-key': key })
    this.#first = answer
  }

  /** Returns the pattern of the error text for a refused move. It names the current state and the states that allow the move. */
  #sentence(move: string): RegExp {
    const { table, noun = table.noun } = this.#subject
    const { from, done } = table.moves[move] ?? { from: [], done: '' }
    return new RegExp(`^An? ${noun} in status ${this.state} cannot be ${done}; it must be in ${from.join(' or ')}\\.$`)
  }

  async #expectRefusal({ move }: MoveRequest, answer: Answer, sentence: RegExp): Promise<void> {
    expect([move, this.state, answer.status]).toEqual([move, this.state, 422])
    expect(answer.json.error?.detail).toMatch(sentence)
    await this.look((before, after) => expect(after).toEqual(before))
  }

  async #expectDone(ask: MoveRequest, verdict: 'moves' | 'already', key: string): Promise<void> {
    if (ask.elsewhere) {
      await this.look((before, after) => expect(after.status).toBe(before.status))
      if (ask.elsewhere.changes) this.expectEvent()
    } else if (ask.idle || (verdict === 'already' && !ask.alreadyWrites)) {
      await this.look((before, after) => expect(after).toEqual(before))
    } else await this.#expectMove(ask, key)
  }

  async #expectMove({ move, operation, lands }: MoveRequest, key: string): Promise<void> {
    const { table } = this.#subject
    const [from, { status }] = [this.state, this.#whole]
    const nextState = lands ?? table.moves[move]?.to
    await this.look(() => undefined)
    expect([move, from, this.state]).toEqual([move, from, nextState === 'same' ? from : nextState])
    if (operation) this.#trail.effect({ operation, from: status, to: this.#whole.status, idempotency_key: key })
    this.expectEvent()
  }
}
