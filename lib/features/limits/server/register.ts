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
import { isBeingReviewed } from '@/lib/features/limits/tracking'
import type { Action, ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import { registerOperation } from '@/lib/server/http/registration'
import { respondError } from '@/lib/server/http/respond'
import { createRequestId } from '@/lib/server/service/request'
import { createNotSentHandler } from '@/lib/server/service/service-read'
import { limitRequests } from '@/lib/server/store/schema/desk'
import { readServiceState, type ServiceState, toPartialState, trackLimitRequests } from './requests'

type RequestedLimits = readonly { type: LimitedPaymentType; asked: LimitSet }[]

/**
 * Returns the limits that a capability request contains, by payment type; empty if the request only
 * turns a capability on or off.
 */
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

const createAlreadyOpenError = (type: LimitedPaymentType) =>
  new AppError(
    'changed',
    `Another request for the limits of ${paymentTypeNouns[type].many} is open for this account. Nothing was sent`,
  )

/** Throws `not_sent` if the settings or a capability request could not be parsed. */
function requireReadableState({ settings, whole }: ServiceState): void {
  const whyUnread = whyFieldsUnreadable('capability_requests.create', settings)
  if (whyUnread) throw new AppError('not_sent', `${whyUnread} Nothing was sent`)
  if (!whole)
    throw new AppError(
      'not_sent',
      'Not every capability request could be read, so another may be open. Nothing was sent',
    )
}

/**
 * Throws `changed` if another limit request for the same payment type is open. With two open
 * requests, the settings would not show which one was applied.
 */
async function requireNoOpenRequest(
  newAction: NewAction,
  asked: RequestedLimits,
  state: ServiceState,
): Promise<void> {
  const requests = await trackLimitRequests(
    newAction.scope,
    newAction.actor.id,
    toPartialState(state),
  )
  for (const { type } of asked) {
    const isOpen = requests.some((request) => request.type === type && request.tracking.isOpen)
    if (isOpen || isBeingReviewed(state.capabilities, type)) throw createAlreadyOpenError(type)
  }
}

function toLimitRequestRows(
  newAction: NewAction,
  asked: RequestedLimits,
  { settings }: ServiceState,
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
 * Checks a limit request before it is recorded and sent. Returns a function that inserts the
 * requested limits, with the limits in force just before, in the action's transaction. Returns null
 * if the request contains no limits. Returns an error response if the limits changed since the
 * person read them. Throws `changed` if a request for the same payment type is open, and `not_sent`
 * if the limits in force cannot be read. After an error, no action is recorded.
 */
async function prepareLimitRequest(
  newAction: NewAction,
): Promise<Response | { alsoWrite: ExtraRowsWriter } | null> {
  const requestedByType = parseRequestedLimits(newAction)
  if (requestedByType.length === 0 || !newAction.scope.accountId) return null
  const state = await readServiceState(newAction.scope).catch(
    createNotSentHandler('The limits in force'),
  )
  if (newAction.snapshotHash && newAction.snapshotHash !== state.snapshot) {
    const error = new AppError(
      'changed',
      'The limits changed since you opened the form. Nothing was sent: review the current limits',
    )
    return respondError(error, createRequestId(), { data: state.settings })
  }
  requireReadableState(state)
  await requireNoOpenRequest(newAction, requestedByType, state)
  const alsoWrite: ExtraRowsWriter = async (tx, action) => {
    const rows = toLimitRequestRows(newAction, requestedByType, state, action)
    const writtenRows = await tx
      .insert(limitRequests)
      .values(rows)
      .onConflictDoNothing()
      .returning({ type: limitRequests.paymentType })
    const conflictingRow = rows.find(
      (row) => !writtenRows.some(({ type }) => type === row.paymentType),
    )
    if (conflictingRow) throw createAlreadyOpenError(conflictingRow.paymentType)
  }
  return { alsoWrite }
}

registerOperation('capability_requests.create', { before: prepareLimitRequest })
