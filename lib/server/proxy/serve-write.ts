import 'server-only'
import { randomUUID } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { toRequest } from '@/lib/operations/http'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { type Action, actionOfKey, type Booked, bookAction, type Draft } from '@/lib/server/actions/book'
import { forgetPayload } from '@/lib/server/actions/payloads'
import { readFile } from '@/lib/server/actions/read-file'
import { runForPerson } from '@/lib/server/actions/run'
import { answerOf, findAction } from '@/lib/server/actions/views'
import { correlationIdOf } from '@/lib/server/request-id'
import { rolesIn, type ScopedAccount } from '@/lib/server/scoped-account'
import { sha256 } from '@/lib/server/seal'
import type { Actor } from '@/lib/server/session-rows'
import { database, storeTime } from '@/lib/server/store/store'
import { jsonFields, keyOf, parseInput, withParams } from './input'
import { respond, respondError } from './respond'
import { readService, snapshotOf } from './service-read'

/** A write that was matched and permitted. */
export type Write = {
  request: Request
  operation: OperationId
  params: Record<string, string>
  actor: Actor
  scope: ScopedAccount
  target: string
}

type Bytes = Pick<Draft, 'contentType' | 'body' | 'bodySha256'> & { content: string; reason: string | null }

/** The exact bytes the service will get, with `content` standing for what the browser asked, whatever its form's boundary was. */
async function bytesOf(write: Write, id: string, input: Record<string, unknown>): Promise<Bytes> {
  if (rowOf(write.operation).body === 'file') {
    const { file, bodySha256, contentType } = await readFile(write.request, id)
    return { contentType, body: file, bodySha256, content: `${file.name}\n${file.sha256}`, reason: null }
  }
  const body = Buffer.from(JSON.stringify(toRequest(write.operation, input).body ?? {}))
  const reason = typeof input.reason === 'string' ? input.reason : null
  return { contentType: 'application/json', body, bodySha256: sha256(body), content: body.toString('utf8'), reason }
}

async function draftOf(write: Write, key: string): Promise<Draft> {
  const { operation, params, actor, scope, request, target } = write
  const isFile = rowOf(operation).body === 'file'
  const input = parseInput(operation, isFile ? params : withParams(operation, await jsonFields(request), params))
  const id = randomUUID()
  const { content, ...bytes } = await bytesOf(write, id, input)
  const { method, path } = toRequest(operation, input)
  return {
    id,
    operation,
    scope,
    actor,
    target,
    key,
    method,
    path: `/v1${path}`,
    ...bytes,
    correlationId: correlationIdOf(request.headers.get('correlation-id')),
    fingerprint: sha256([scope.environment, scope.accountId, actor.id, method, path, content].join('\n')),
    snapshotHash: request.headers.get('snapshot-hash')?.slice(0, 64) ?? null,
    comparedAt: null,
  }
}

/**
 * Refuses a write on an object that is no longer what the person saw: it is read anew and compared with the hash that came with its page.
 * A write without the hash is not compared. Gives the answer to send, or the time of the comparison by the store's clock.
 */
async function compare(draft: Draft): Promise<Response | Date | null> {
  if (!draft.snapshotHash || !draft.target.startsWith('payouts/')) return null
  const at = await storeTime()
  const id = draft.target.slice('payouts/'.length)
  const now = await readService('payouts.get', { id }, draft.scope).catch(asNotSent)
  if (snapshotOf(now.data) === draft.snapshotHash) return at
  const error = new AppError('changed', 'The payout changed since you opened it. Nothing was sent: look at it as it is now')
  return respondError(error, now.meta.request_id, { data: now.data })
}

/** A failed reading is no failed write: nothing was sent yet, and the screen must not call that an unknown outcome. */
function asNotSent(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code !== 'service_failed') throw cause
  const detail = 'The payout could not be read to compare it with what you saw. Nothing was sent: try again'
  throw new AppError('not_sent', detail, { requestId: cause.requestId, cause })
}

async function respondAction(id: string, actor: Actor, replay: boolean): Promise<Response> {
  const found = await findAction(id, actor.id)
  if (!found) throw new AppError('not_found', 'The action is gone')
  const { status, body } = answerOf(found.action, found.view)
  return respond(status, body, replay ? { 'idempotent-replayed': 'true' } : {})
}

/** The answer to a key that is in the book: the stored one if it is the same request, else 409. */
async function respondKnown(action: Action, draft: Draft): Promise<Response> {
  if (action.fingerprint !== draft.fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was already used for a different request. Nothing was sent')
  }
  return respondAction(action.id, draft.actor, action.state === 'applied' || action.state === 'refused')
}

/** The open action is shown to who holds a role for its account: it may have been written in another scope than this request's. */
async function respondBlocked(action: Action, actor: Actor, requestId: string): Promise<Response> {
  const visible = rolesIn(actor.grants, action.environment, action.accountId).length > 0
  const found = visible ? await findAction(action.id, actor.id) : null
  const error = new AppError('action_open', `An earlier action (${action.operation}) on this object is not settled yet. Nothing was sent`)
  return respondError(error, requestId, found ? { action: found.view } : {})
}

/**
 * Books a draft. When the store fails, the commit may have been lost on its way back: only if the key is surely not in the book was nothing
 * sent. Throws `unavailable` then, and `outcome_unknown` where it cannot be told.
 */
async function book(draft: Draft): Promise<Booked> {
  try {
    return await bookAction(draft)
  } catch (error) {
    if (error instanceof AppError) throw error
    const written = await database()
      .then((db) => actionOfKey(db, draft.key))
      .catch(() => undefined)
    if (written === null) throw new AppError('unavailable', 'This could not be recorded, so nothing was sent: try again', { cause: error })
    throw new AppError('outcome_unknown', 'It is not certain that this was recorded. Send again: the same key is used', { cause: error })
  }
}

/** From the booking on, a failure of ours must never read as "nothing was sent". */
async function runBooked(action: Action, actor: Actor): Promise<Response> {
  try {
    const settled = await runForPerson(action, async () => (await findAction(action.id, actor.id))?.action ?? action)
    return await respondAction(settled.id, actor, false)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('outcome_unknown', 'It was sent, and its outcome is being confirmed', { cause: error })
  }
}

async function serveDraft(draft: Draft, requestId: string): Promise<{ response: Response; booked: boolean }> {
  const not = (response: Response) => ({ response, booked: false })
  const earlier = await actionOfKey(await database(), draft.key)
  if (earlier) return not(await respondKnown(earlier, draft))
  const compared = await compare(draft)
  if (compared instanceof Response) return not(compared)
  const booked = await book({ ...draft, comparedAt: compared })
  if (booked.kind === 'known') return not(await respondKnown(booked.action, draft))
  if (booked.kind === 'blocked') return not(await respondBlocked(booked.action, draft.actor, requestId))
  return { response: await runBooked(booked.action, draft.actor), booked: true }
}

/**
 * Serves a permitted write through the action book: parse, compare with what was seen, book, send, answer. A known key is answered from the
 * book and sends nothing. A file whose action was not booked is forgotten; where that is not certain, the sweep decides later.
 */
export async function serveWrite(write: Write, requestId: string): Promise<Response> {
  const draft = await draftOf(write, keyOf(write.request))
  const { response, booked } = await serveDraft(draft, requestId)
  if (!booked && !Buffer.isBuffer(draft.body)) await forgetPayload(draft.body.id)
  return response
}
