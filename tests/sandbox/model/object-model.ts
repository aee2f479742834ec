import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { assessMove } from '@/sandbox/machine'
import type { SandboxResponse } from '@/tests/sandbox/sandbox-client'
import { ExpectedJournalAndEvents } from './expected-trail'
import type { ModelSubject, MoveRequest, SendWrite, ServiceObject } from './subject'

/**
 * Sends a random sequence of requests for one object. Derives the expected result of each request
 * from the state machine alone, compares the whole object with it, and records the expected journal
 * rows and events.
 */
export class ObjectModel {
  readonly #subject: ModelSubject
  readonly #trail: ExpectedJournalAndEvents
  #whole: ServiceObject
  #repeat: (() => Promise<SandboxResponse>) | undefined
  #first: SandboxResponse | undefined

  /**
   * Takes the created object as the response contained it, and the expected journal row of the
   * creation.
   */
  private constructor(subject: ModelSubject, made: ServiceObject, expectedRow: unknown) {
    this.#subject = subject
    this.#whole = made
    this.#trail = new ExpectedJournalAndEvents(expectedRow, made.status)
  }

  /** Creates the object with `operation` and returns its model. */
  static async begin(
    subject: ModelSubject,
    operation: string,
    send: SendWrite,
  ): Promise<ObjectModel> {
    const idempotencyKey = randomUUID()
    const creationResponse = await send({ 'idempotency-key': idempotencyKey })
    expect([operation, creationResponse.status, creationResponse.json.error]).toEqual([
      operation,
      201,
      undefined,
    ])
    const createdData = creationResponse.json.data
    const createdObject = (
      Array.isArray(createdData) ? createdData[0] : createdData
    ) as ServiceObject
    const model = new ObjectModel(subject, createdObject, {
      operation,
      from: '',
      to: createdObject.status,
      idempotency_key: idempotencyKey,
    })
    model.#remember(idempotencyKey, send, creationResponse)
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

  /** Adds an event to those that `finish` expects. `status` is the object's status in the event. */
  expectEvent(status: string = this.#whole.status): void {
    this.#trail.event(status)
  }

  /**
   * Reads the object again and calls `check` with the object before and after this read. Then
   * stores the object that it read as the current one.
   */
  async look(check: (before: ServiceObject, after: ServiceObject) => void): Promise<void> {
    const objectBefore = this.#whole
    const objectAfter = await this.#read()
    check(objectBefore, objectAfter)
    expect(objectAfter.updated_at >= objectBefore.updated_at).toBe(true)
    this.#whole = objectAfter
  }

  /**
   * Requests a move and compares the result with the state machine. If the state machine refuses
   * the move or `veto` is set, checks that the request fails and changes nothing, and returns
   * `refused`. Otherwise returns `moves`, or `already` if the object was in the requested state.
   */
  async ask(moveRequest: MoveRequest): Promise<'moves' | 'already' | 'refused'> {
    const moveVerdict = assessMove(this.#subject.table, moveRequest.move, this.state)
    this.#subject.tally.note(moveRequest.move, this.state)
    const [key, before] = [randomUUID(), this.#whole]
    const moveResponse = await moveRequest.send({ 'idempotency-key': key })
    if (moveRequest.operation) this.#remember(key, moveRequest.send, moveResponse)
    if (moveVerdict === 'refused' || moveRequest.veto) {
      await this.#expectRefusal(
        moveRequest,
        moveResponse,
        moveVerdict === 'refused' ? this.#sentence(moveRequest.move) : (moveRequest.veto ?? /$^/),
      )
      return 'refused'
    }
    expect([
      moveRequest.move,
      this.state,
      moveResponse.status < 300 || moveResponse.json.error,
    ]).toEqual([moveRequest.move, this.state, true])
    await this.#expectDone(moveRequest, moveVerdict, key)
    if (!moveRequest.elsewhere)
      expect(moveResponse.json.data).toEqual(moveRequest.answersBefore ? before : this.#whole)
    return moveVerdict
  }

  /**
   * Checks a move that a request for another object caused. If the state machine does not allow the
   * move, checks that the object is unchanged and returns false.
   */
  async follow(move: string): Promise<boolean> {
    const [{ table, tally }, stateBefore] = [this.#subject, this.state]
    if (assessMove(table, move, stateBefore) !== 'moves') {
      await this.look((before, after) => expect(after).toEqual(before))
      return false
    }
    tally.note(move, stateBefore)
    await this.look(() => undefined)
    expect([move, stateBefore, this.state]).toEqual([move, stateBefore, table.moves[move]?.to])
    this.expectEvent()
    return true
  }

  /** Sends a write that is allowed in every status and does not change the status. */
  async write(operation: string, send: SendWrite): Promise<void> {
    const writeKey = randomUUID()
    const writeResponse = await send({ 'idempotency-key': writeKey })
    this.#remember(writeKey, send, writeResponse)
    const { status } = this.#whole
    await this.look((_, after) =>
      expect([writeResponse.json.error, after.status, after]).toEqual([
        undefined,
        status,
        writeResponse.json.data,
      ]),
    )
    this.#trail.effect({ operation, from: status, to: status, idempotency_key: writeKey })
    this.expectEvent()
  }

  /**
   * Sends the request that deletes the object. Response and event must contain the object as it
   * was, and the journal row the status `deleted`.
   */
  async remove({ move, operation = '', send }: MoveRequest): Promise<void> {
    const { status } = this.#whole
    expect(assessMove(this.#subject.table, move, this.state)).toBe('moves')
    this.#subject.tally.note(move, this.state)
    const deletionKey = randomUUID()
    const deletionResponse = await send({ 'idempotency-key': deletionKey })
    expect([deletionResponse.status, deletionResponse.json.data]).toEqual([200, this.#whole])
    this.#trail.effect({ operation, from: status, to: 'deleted', idempotency_key: deletionKey })
    this.expectEvent()
  }

  /**
   * Repeats the last write. The response must be the same, marked as a replay, and the object must
   * not change.
   */
  async repeat(): Promise<void> {
    const replayResponse = await this.#repeat?.()
    if (!replayResponse) return
    expect([replayResponse.status, replayResponse.text]).toEqual([
      this.#first?.status,
      this.#first?.text,
    ])
    expect(replayResponse.headers.get('idempotent-replayed')).toBe('true')
    await this.look((before, after) => expect(after).toEqual(before))
  }

  /**
   * Checks journal and events at the end of the sequence. `isOther` selects events to skip, because
   * their change is outside the state machine.
   */
  finish(isOther?: (before: ServiceObject, after: ServiceObject) => boolean): Promise<void> {
    return this.#trail.check(this.#subject, this.#whole, isOther)
  }

  async #read(): Promise<ServiceObject> {
    const objectResponse = await this.#subject.client.ask(
      this.#subject.path.replace(':id', this.#whole.id),
    )
    expect([this.#subject.path, objectResponse.status]).toEqual([this.#subject.path, 200])
    return this.#subject.path.includes(':id')
      ? (objectResponse.json.data as ServiceObject)
      : this.#inList(objectResponse)
  }

  /** Returns the object from a list, for objects that cannot be read singly. */
  #inList(answer: SandboxResponse): ServiceObject {
    const listedObject = (answer.json.data as ServiceObject[]).find(
      ({ id }) => id === this.#whole.id,
    )
    if (!listedObject) throw new Error(`${this.#whole.id} is not in the list`)
    return listedObject
  }

  #remember(key: string, send: SendWrite, answer: SandboxResponse): void {
    this.#repeat = () => send({ 'idempotency-key': key })
    this.#first = answer
  }

  /**
   * Returns the pattern of the error text for a refused move. It names the current state and the
   * states that allow the move.
   */
  #sentence(move: string): RegExp {
    const { table, noun = table.noun } = this.#subject
    const { from, done } = table.moves[move] ?? { from: [], done: '' }
    return new RegExp(
      `^An? ${noun} in status ${this.state} cannot be ${done}; it must be in ${from.join(' or ')}\\.$`,
    )
  }

  async #expectRefusal(
    { move }: MoveRequest,
    answer: SandboxResponse,
    errorPattern: RegExp,
  ): Promise<void> {
    expect([move, this.state, answer.status]).toEqual([move, this.state, 422])
    expect(answer.json.error?.detail).toMatch(errorPattern)
    await this.look((before, after) => expect(after).toEqual(before))
  }

  async #expectDone(
    moveRequest: MoveRequest,
    verdict: 'moves' | 'already',
    key: string,
  ): Promise<void> {
    if (moveRequest.elsewhere) {
      await this.look((before, after) => expect(after.status).toBe(before.status))
      if (moveRequest.elsewhere.changes) this.expectEvent()
    } else if (moveRequest.idle || (verdict === 'already' && !moveRequest.alreadyWrites)) {
      await this.look((before, after) => expect(after).toEqual(before))
    } else await this.#expectMove(moveRequest, key)
  }

  async #expectMove({ move, operation, lands }: MoveRequest, key: string): Promise<void> {
    const { table } = this.#subject
    const [from, { status }] = [this.state, this.#whole]
    const expectedState = lands ?? table.moves[move]?.to
    await this.look(() => undefined)
    expect([move, from, this.state]).toEqual([
      move,
      from,
      expectedState === 'same' ? from : expectedState,
    ])
    if (operation)
      this.#trail.effect({ operation, from: status, to: this.#whole.status, idempotency_key: key })
    this.expectEvent()
  }
}
