import 'server-only'
import {
  type LimitedPaymentType,
  type LimitSet,
  limitedPaymentTypes,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError, type ErrorItem } from '@/lib/errors'
import { getServiceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import { requireRole } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { createNotSentHandler, readService } from '@/lib/server/service/service-read'
import { sha256 } from '@/lib/server/store/hashes'
import { requireVisibleObject } from './find-account'

/** A customer change replaces all these masked fields at the service, so it must contain each. */
const maskedCustomerFields = ['email', 'phone', 'device'] as const

function createFieldsRequiredError(missing: readonly string[], requestId?: string): AppError {
  const detail =
    'Enter it again: the current value cannot be read in this account, and every change replaces the value.'
  const items: ErrorItem[] = missing.map((reference) => ({ reference, detail }))
  const errorContext = requestId ? { items, requestId } : { items }
  return new AppError(
    'invalid_input',
    `${missing.join(', ')}: ${detail} Nothing was sent`,
    errorContext,
  )
}

/**
 * If the account forbids the read of the customer, the person must enter the fields: throws
 * `invalid_input`. If the service failed, throws `not_sent`.
 */
const createCustomerErrorHandler =
  (missing: readonly string[]) =>
  (cause: unknown): never => {
    if (!(cause instanceof AppError)) throw cause
    if (cause.code === 'service_forbidden')
      throw createFieldsRequiredError(missing, cause.requestId)
    if (cause.code !== 'service_failed') throw cause
    throw new AppError('not_sent', 'The customer could not be read. Nothing was sent: try again', {
      requestId: cause.requestId,
      cause,
    })
  }

/**
 * Completes a customer change that omits contact data. Only the encrypted request body contains the
 * data, so no person sees it. Throws `invalid_input` with the fields that cannot be read, or
 * `not_sent`. In both cases, no action is recorded.
 */
async function addMissingContactData(newAction: NewAction): Promise<NewAction> {
  if (!Buffer.isBuffer(newAction.body)) return newAction
  const bodyFields = JSON.parse(newAction.body.toString('utf8')) as Record<string, unknown>
  const missingFields = maskedCustomerFields.filter((name) => bodyFields[name] === undefined)
  const customerId = newAction.target?.split('/')[1]
  if (missingFields.length === 0 || !customerId) return newAction
  requireRole(newAction.scope, 'customers.unmask')
  const { data } = await readService('customers.unmask', { id: customerId }, newAction.scope).catch(
    createCustomerErrorHandler(missingFields),
  )
  const currentContactData = {
    email: data.email,
    phone: data.phone,
    device: data.device?.ip_address ? { ip_address: data.device.ip_address } : undefined,
  }
  const unreadFields = missingFields.filter((name) => currentContactData[name] === undefined)
  if (unreadFields.length > 0) throw createFieldsRequiredError(unreadFields)
  const body = Buffer.from(
    JSON.stringify({
      ...bodyFields,
      ...Object.fromEntries(missingFields.map((name) => [name, currentContactData[name]])),
    }),
  )
  return { ...newAction, body, bodySha256: sha256(body) }
}

type RequestedLimits = Partial<Record<LimitedPaymentType, LimitSet>>

/**
 * Adds the current value of each limit that a request omits. The interface document allows such a
 * request, but the contract of the provider requires all four limits (provider facts 1.8). Throws
 * `not_sent` if a current limit cannot be read; then no action is recorded.
 */
async function addCurrentLimits(newAction: NewAction): Promise<NewAction> {
  const { accountId } = newAction.scope
  if (
    !Buffer.isBuffer(newAction.body) ||
    !accountId ||
    !env().capabilityRequestsPath.includes('{account_id}')
  )
    return newAction
  const requestedLimits = JSON.parse(newAction.body.toString('utf8')) as RequestedLimits
  const requestedPaymentTypes = limitedPaymentTypes.filter(
    (type) => requestedLimits[type] !== undefined,
  )
  if (requestedPaymentTypes.length === 0) return newAction
  const { data: settings } = await readService(
    'account_settings.get',
    { id: accountId },
    newAction.scope,
  ).catch(createNotSentHandler('The limits in force'))
  const unreadableReason = whyFieldsUnreadable('capability_requests.create', settings)
  if (unreadableReason) throw new AppError('not_sent', `${unreadableReason} Nothing was sent`)
  const completeLimits = Object.fromEntries(
    requestedPaymentTypes.map((type) => [
      type,
      { ...toLimitSet(settings[type]), ...requestedLimits[type] },
    ]),
  )
  const body = Buffer.from(JSON.stringify({ ...requestedLimits, ...completeLimits }))
  return { ...newAction, body, bodySha256: sha256(body) }
}

function handlePaykeyReadError(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code !== 'service_not_found')
    return createNotSentHandler('The bank account (paykey)')(cause)
  const items = [{ reference: 'paykey_id', detail: 'Not a paykey of this account.' }]
  throw new AppError(
    'service_not_found',
    'paykey_id: Not a paykey of this account. Nothing was sent',
    // Without the service's request id: a hidden paykey has none either.
    { items, cause },
  )
}

const parsePayment = (body: Buffer) =>
  JSON.parse(body.toString('utf8')) as { paykey_id: string } & Record<string, unknown>

/**
 * If the person may not see the paykey of a payment, throws the same error as for a missing one. It
 * runs before the policy and the step-up, because both describe the paykey's customer.
 */
export async function requireVisiblePaykey({ operation, actor, scope, body }: NewAction) {
  const { environment, accountId: account } = scope
  if (getServiceOperation(operation).fills !== 'paykey' || !account || !Buffer.isBuffer(body))
    return
  const target = `paykeys/${parsePayment(body).paykey_id}`
  await requireVisibleObject(actor, { environment, account, target }).catch(handlePaykeyReadError)
}

/**
 * For a payment, reads the token of the paykey (a linked bank account) in the same scope, and puts
 * it into the body instead of `paykey_id`. Only the encrypted body ever contains the token. Throws
 * `not_sent`, or the error of the service. In both cases, no action is recorded.
 */
export async function fillFieldsFromService(newAction: NewAction): Promise<NewAction> {
  const { fills } = getServiceOperation(newAction.operation)
  if (fills === 'customer') return addMissingContactData(newAction)
  if (fills === 'limits') return addCurrentLimits(newAction)
  if (fills !== 'paykey' || !Buffer.isBuffer(newAction.body)) return newAction
  requireRole(newAction.scope, 'paykeys.reveal')
  const { paykey_id: id, ...rest } = parsePayment(newAction.body)
  const { data } = await readService('paykeys.reveal', { id }, newAction.scope).catch(
    handlePaykeyReadError,
  )
  const body = Buffer.from(JSON.stringify({ paykey: data.paykey, ...rest }))
  return { ...newAction, body, bodySha256: sha256(body) }
}
