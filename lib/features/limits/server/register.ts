import 'server-only'
import { randomUUID } from 'node:crypto'
import {
  type LimitedPaymentType,
  type LimitSet,
  limitedPaymentTypes,
  paymentTypeNouns,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError } from '@/lib/errors'
import { isCapabilityInReview } from '@/lib/features/limits/tracking'
import type { Action, ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import { registerOperation } from '@/lib/server/http/registration'
import { respondError } from '@/lib/server/http/respond'
import { createRequestId } from '@/lib/server/service/request'
import { createNotSentHandler } from '@/lib/server/service/service-read'
import { limitRequests } from '@/lib/server/store/schema/desk'
import { type AccountLimitState, readLimitsAtService, toPartialLimitState } from './limit-state'
import { trackLimitRequests } from './stored-requests'

type RequestedLimits = readonly { type: LimitedPaymentType; asked: LimitSet }[]

/** Empty if the request only turns a capability on or off. */
function parseRequestedLimits(newAction: NewAction): RequestedLimits {
  if (!Buffer.isBuffer(newAction.body)) return []
  const requestBody = JSON.parse(newAction.body.toString('utf8')) as Partial<
    Record<LimitedPaymentType, LimitSet>
  >
  return limitedPaymentTypes.flatMap((type) => {
    const requestedLimits = toLimitSet(requestBody[type])
    return Object.keys(requestedLimits).length > 0 ? [{ type, asked: requestedLimits }] : []
  })
}

const createRequestOpenError = (type: LimitedPaymentType) =>
  new AppError(
    'changed',
    `Another request for the limits of ${paymentTypeNouns[type].many} is open for this account. Nothing was sent`,
  )

function requireReadableLimitState({ settings, whole }: AccountLimitState): void {
  const whyUnreadable = whyFieldsUnreadable('capability_requests.create', settings)
  if (whyUnreadable) throw new AppError('not_sent', `${whyUnreadable} Nothing was sent`)
  if (!whole)
    throw new AppError(
      'not_sent',
      'Not every capability request could be read, so another may be open. Nothing was sent',
    )
}

/**
 * Throws `changed` if another request is open: with two, the settings would not show which one was
 * applied.
 */
async function requireNoOpenRequest(
  newAction: NewAction,
  asked: RequestedLimits,
  state: AccountLimitState,
): Promise<void> {
  const trackedRequests = await trackLimitRequests(
    newAction.scope,
    newAction.actor.id,
    toPartialLimitState(state),
  )
  for (const { type } of asked) {
    const hasOpenRequest = trackedRequests.some(
      (request) => request.type === type && request.tracking.isOpen,
    )
    if (hasOpenRequest || isCapabilityInReview(state.capabilities, type))
      throw createRequestOpenError(type)
  }
}

function toLimitRequestRows(
  newAction: NewAction,
  asked: RequestedLimits,
  { settings }: AccountLimitState,
  action: Action,
) {
  return asked.map((wish) => ({
    id: randomUUID(),
    environment: action.environment,
    accountId: newAction.scope.accountId ?? '',
    paymentType: wish.type,
    before: toLimitSet(settings[wish.type]),
    asked: wish.asked,
    justification: newAction.reason ?? '',
    actionId: action.id,
    askedBy: newAction.actor.id,
  }))
}

/**
 * Returns a function that stores the requested limits and those in force in the action's
 * transaction. Returns null if the request contains no limits, and an error response if the limits
 * changed since the person read them. Throws `changed` if another request is open, and `not_sent`
 * if the limits in force cannot be read. After an error, no action is recorded.
 */
async function prepareLimitRequest(
  newAction: NewAction,
): Promise<Response | { alsoWrite: ExtraRowsWriter } | null> {
  const requestedLimitList = parseRequestedLimits(newAction)
  if (requestedLimitList.length === 0 || !newAction.scope.accountId) return null
  const limitState = await readLimitsAtService(newAction.scope).catch(
    createNotSentHandler('The limits in force'),
  )
  if (newAction.snapshotHash && newAction.snapshotHash !== limitState.snapshot) {
    const error = new AppError(
      'changed',
      'The limits changed since you opened the form. Nothing was sent: review the current limits',
    )
    return respondError(error, createRequestId(), { data: limitState.settings })
  }
  requireReadableLimitState(limitState)
  await requireNoOpenRequest(newAction, requestedLimitList, limitState)
  const writeLimitRequests: ExtraRowsWriter = async (tx, action) => {
    const requestRows = toLimitRequestRows(newAction, requestedLimitList, limitState, action)
    const writtenRows = await tx
      .insert(limitRequests)
      .values(requestRows)
      .onConflictDoNothing()
      .returning({ type: limitRequests.paymentType })
    const conflictingRow = requestRows.find(
      (row) => !writtenRows.some(({ type }) => type === row.paymentType),
    )
    if (conflictingRow) throw createRequestOpenError(conflictingRow.paymentType)
  }
  return { alsoWrite: writeLimitRequests }
}

registerOperation('capability_requests.create', { before: prepareLimitRequest })
