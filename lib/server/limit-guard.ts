import 'server-only'
import { randomUUID } from 'node:crypto'
import { isLookedAt } from '@/lib/domain/limit-tracking'
import { type LimitSet, type LimitType, limitSetOf, limitTypes, typeWords } from '@/lib/domain/limit-words'
import { AppError } from '@/lib/errors'
import type { Action, Beside, Draft } from './actions/book'
import { asNotSent } from './actions/fill'
import { type ReadStanding, readStanding, standingOf, trackRequests } from './limit-requests'
import { respondError } from './proxy/respond'
import { newRequestId } from './request-id'
import { limitRequests } from './store/desk-schema'

type Asked = readonly { type: LimitType; asked: LimitSet }[]

/** The limits a capability request asks for, by payment type; one that only switches something on or off asks for none. */
function askedIn(draft: Draft): Asked {
  if (!Buffer.isBuffer(draft.body)) return []
  const wishes = JSON.parse(draft.body.toString('utf8')) as Partial<Record<LimitType, LimitSet>>
  return limitTypes.flatMap((type) => {
    const asked = limitSetOf(wishes[type])
    return Object.keys(asked).length > 0 ? [{ type, asked }] : []
  })
}

const another = (type: LimitType) =>
  new AppError('changed', `Another request for the limits of ${typeWords[type].many} is open for this account. Nothing was sent`)

/** One request at a time: compliance would otherwise decide on two wishes, and nobody could tell which one the settings follow. */
async function refuseSecond(draft: Draft, asked: Asked, standing: ReadStanding): Promise<void> {
  const kept = await trackRequests(draft.scope, draft.actor.id, standingOf(standing))
  for (const { type } of asked) {
    const isOpen = kept.some((request) => request.type === type && request.tracking.isOpen)
    if (isOpen || isLookedAt(standing.capabilities, type)) throw another(type)
  }
}

function rowsOf(draft: Draft, asked: Asked, { settings }: ReadStanding, action: Action) {
  return asked.map((wish) => ({
    id: randomUUID(),
    environment: action.environment,
    accountId: draft.scope.accountId ?? '',
    paymentType: wish.type,
    before: limitSetOf(settings[wish.type]),
    asked: wish.asked,
    justification: draft.reason ?? '',
    actionId: action.id,
    askedBy: draft.actor.id,
  }))
}

/**
 * What belongs to a request for other limits besides its action: a row with what was asked for and what held just before, written in the action's
 * own transaction. Null where no limits are asked for. Gives the answer to send where the settings are no longer what the person saw. Throws `changed`
 * where a request for the same payment type is open, and `not_sent` where the limits in force cannot be read; nothing is booked then.
 */
export async function limitRequestBeside(draft: Draft): Promise<Response | Beside | null> {
  const asked = askedIn(draft)
  if (asked.length === 0 || !draft.scope.accountId) return null
  const standing = await readStanding(draft.scope).catch(asNotSent('The limits in force'))
  if (draft.snapshotHash && draft.snapshotHash !== standing.snapshot) {
    const error = new AppError('changed', 'The limits changed since you looked at them. Nothing was sent: look at them as they are now')
    return respondError(error, newRequestId(), { data: standing.settings })
  }
  await refuseSecond(draft, asked, standing)
  return async (tx, action) => {
    const rows = rowsOf(draft, asked, standing, action)
    const written = await tx.insert(limitRequests).values(rows).onConflictDoNothing().returning({ type: limitRequests.paymentType })
    const missing = rows.find((row) => !written.some(({ type }) => type === row.paymentType))
    if (missing) throw another(missing.paymentType)
  }
}
