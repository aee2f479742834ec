import 'server-only'
import { AppError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { forgetAccountChoices } from '@/lib/server/account-choices'
import { type Action, actionOfKey, type Beside, type Booked, bookAction, type Draft } from '@/lib/server/actions/book'
import { filled } from '@/lib/server/actions/fill'
import { forgetPayload } from '@/lib/server/actions/payloads'
import { refuseOverQuota } from '@/lib/server/actions/quota'
import { runForPerson } from '@/lib/server/actions/run'
import { answerOf, findAction } from '@/lib/server/actions/views'
import { finishDeletions } from '@/lib/server/deletion-finish'
import { guarded } from '@/lib/server/guards'
import { rolesIn } from '@/lib/server/scoped-account'
import { limitError } from '@/lib/server/service/answer'
import { admit } from '@/lib/server/service/rate-limit'
import type { Actor } from '@/lib/server/session-rows'
import { database } from '@/lib/server/store/store'
import { compare } from './compare'
import { draftOf, type Write } from './draft'
import { keyOf } from './input'
import { respond, respondError } from './respond'

async function found(id: string, actor: Actor): Promise<{ action: Action; view: ActionView }> {
  const both = await findAction(id, actor.id)
  if (!both) throw new AppError('not_found', 'The action is gone')
  return both
}

const notKept = 'The answer was told once, to whoever asked first, and is kept nowhere. Ask for another under a new Idempotency-Key'

/** An action answered from the book, without anything being sent. A credential went to the first who asked: here the answer says that. */
async function respondReplay(id: string, actor: Actor): Promise<Response> {
  const { action, view } = await found(id, actor)
  const { status, body } = answerOf(action, view, { mayRead: true })
  const settled = action.state === 'applied' || action.state === 'refused'
  const headers: Record<string, string> = settled ? { 'idempotent-replayed': 'true' } : {}
  const { credential } = rowOf(action.operation as OperationId)
  if (!credential || action.state !== 'applied' || action.decision) return respond(status, body, headers)
  const error = new AppError('answer_not_kept', notKept)
  return respond(error.status, { response_type: 'error', meta: body.meta, error: error.toWire(), action: view }, headers)
}

/** The answer to a key that is in the book: the stored one if it is the same request, else 409. */
async function respondKnown(action: Action, draft: Draft): Promise<Response> {
  if (action.fingerprint !== draft.fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was already used for a different request. Nothing was sent')
  }
  return respondReplay(action.id, draft.actor)
}

/** The open action is shown to who holds a role for its account: it may have been written in another scope than this request's. */
async function respondBlocked(action: Action, actor: Actor, requestId: string): Promise<Response> {
  const visible = rolesIn(actor.grants, action.environment, action.accountId).length > 0
  const open = visible ? await findAction(action.id, actor.id) : null
  const error = new AppError('action_open', `An earlier action (${action.operation}) on this object is not settled yet. Nothing was sent`)
  return respondError(error, requestId, open ? { action: open.view } : {})
}

/** Asks for leave to send before anything is booked: a write there is no room for leaves no trace, and its key may be sent again. */
async function requireRoom({ scope }: Draft): Promise<void> {
  const refused = await admit(scope.environment, scope.caller)
  if (refused) throw limitError(refused.fault, refused.seconds)
}

/**
 * Books a draft. When the store fails, the commit may have been lost on its way back: only if the key is surely not in the book was nothing
 * sent. Throws `unavailable` then, and `outcome_unknown` where it cannot be told.
 */
async function book(draft: Draft, beside: Beside | null): Promise<Booked> {
  try {
    return await bookAction(draft, beside)
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
    const { data } = await runForPerson(action, async () => (await findAction(action.id, actor.id))?.action ?? action)
    const now = await found(action.id, actor)
    const { status, body } = answerOf(now.action, now.view, { mayRead: true, fresh: data })
    return respond(status, body)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('outcome_unknown', 'It was sent, and its outcome is being confirmed', { cause: error })
  }
}

async function serveDraft(draft: Draft, requestId: string): Promise<{ response: Response; booked: boolean }> {
  const not = (response: Response) => ({ response, booked: false })
  const db = await database()
  const earlier = await actionOfKey(db, draft.key)
  if (earlier) return not(await respondKnown(earlier, draft))
  await refuseOverQuota(db, draft.actor.id)
  const compared = await compare(draft)
  if (compared instanceof Response) return not(compared)
  const beside = await guarded(draft)
  if (beside instanceof Response) return not(beside)
  const complete = await filled({ ...draft, comparedAt: compared })
  await requireRoom(draft)
  const booked = await book(complete, beside)
  if (booked.kind === 'known') return not(await respondKnown(booked.action, draft))
  if (booked.kind === 'blocked') return not(await respondBlocked(booked.action, draft.actor, requestId))
  const response = await runBooked(booked.action, draft.actor)
  if (draft.operation === 'customers.delete') await finishDeletions()
  if (rowOf(draft.operation).invalidates?.includes('accounts')) forgetAccountChoices(draft.scope.environment)
  return { response, booked: true }
}

/**
 * Serves a permitted write through the action book: parse, compare with what was seen, fill in, ask for room, book, send, answer. A known key is answered from the
 * book and sends nothing. A file whose action was not booked is forgotten; where that is not certain, the sweep decides later.
 */
export async function serveWrite(write: Write, requestId: string): Promise<Response> {
  const draft = await draftOf(write, keyOf(write.request))
  const { response, booked } = await serveDraft(draft, requestId)
  if (!booked && !Buffer.isBuffer(draft.body)) await forgetPayload(draft.body.id)
  return response
}
