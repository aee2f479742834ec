import type { z } from 'zod'
import { allLimitsBodySchema } from '@/sandbox/capability-requests/capability-request-input'
import type { EventResource } from '@/sandbox/events/event-store'
import type { FundingEvent, fundingEventPaymentSchema } from '@/sandbox/funding/funding-event'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import { negotiateContentType } from '@/sandbox/http/send-response'
import type { Paykey, PaykeySummary, paykeyReviewSchema } from '@/sandbox/paykeys/paykey-schema'
import { chargeBodySchema } from '@/sandbox/payments/create-payment'
import type { Charge, PaymentSummary, Payout } from '@/sandbox/payments/payment-schema'
import { uuidPattern } from '@/sandbox/store/store'
import type { Dialect, OperationOverrides, ResponseInfo } from './dialect'
import { providerErrorEnvelopeSchema, providerOutputSchemas } from './provider-schemas'

const omitNullCode = <D extends { code: string | null }>({ code, ...details }: D) =>
  code === null ? details : { ...details, code }

function toProviderPaykeyDetails({ balance, ...details }: PaymentSummary['paykey_details']) {
  return balance === null ? details : { ...details, balance: Number(balance) }
}

/** Amounts are numbers of cents, and related payments are a map of id to relationship. */
function toProviderPayment(input: Charge | Payout | PaymentSummary) {
  return {
    ...input,
    amount: Number(input.amount),
    paykey_details: toProviderPaykeyDetails(input.paykey_details),
    related_payments: Object.fromEntries(
      input.related_payments.map(({ id, relationship }) => [id, relationship]),
    ),
    status_details: omitNullCode(input.status_details),
    ...('status_history' in input
      ? { status_history: input.status_history.map(omitNullCode) }
      : {}),
    ...('consent_type' in input
      ? { consent_type: input.consent_type === 'internet' ? 'internet' : 'signed' }
      : {}),
    settlement_window: 'standard',
    network_attempts: 1,
  }
}

/** The provider sends no balance for a paykey that was created from bank details. */
function toProviderPaykey(input: Paykey | PaykeySummary) {
  const { balance, ...rest } = { balance: undefined, ...input }
  return {
    ...rest,
    ...(balance === undefined || input.source === 'bank_account' ? {} : { balance }),
    status_details: omitNullCode(input.status_details),
    token_version: 2,
  }
}

const toProviderPaykeyReview = (input: z.infer<typeof paykeyReviewSchema>) => ({
  ...input,
  paykey_details: toProviderPaykey(input.paykey_details),
})

/** The provider's contract requires `trace_numbers`, but the provider does not send it. */
function toProviderFundingEvent({
  trace_numbers: _required,
  ...told
}: FundingEvent | Omit<FundingEvent, 'status_history'>) {
  return {
    ...told,
    status_details: omitNullCode(told.status_details),
    ...('status_history' in told ? { status_history: told.status_history.map(omitNullCode) } : {}),
    ledger: { batch: null },
  }
}

/** The provider's contract requires `external_id`, but the provider does not send it. */
function toProviderFundingLine({
  external_id: _required,
  ...told
}: z.infer<typeof fundingEventPaymentSchema>) {
  return {
    ...told,
    paykey_details: toProviderPaykeyDetails(told.paykey_details),
    settlement_window: 'standard',
  }
}

const toProviderCustomer = (fields: object) => ({ ...fields, risk_tier: null })
const addEmptyTags = (input: object) => ({ ...input, tags: [] })
const returnInput = (input: object) => input

type DataConverter = (input: never) => object

/** Keys are operation ids or their first word; a whole id has precedence. */
const responseConverters: Readonly<Record<string, DataConverter>> = {
  ...{ charges: toProviderPayment, payouts: toProviderPayment, payments: toProviderPayment },
  ...{
    paykeys: toProviderPaykey,
    'paykeys.review': toProviderPaykeyReview,
    bridge: toProviderPaykey,
    'bridge.initialize': returnInput,
  },
  ...{
    funding_events: toProviderFundingEvent,
    'funding_events.simulate': returnInput,
    funding_event_payments: toProviderFundingLine,
  },
  ...{ customers: toProviderCustomer, 'customers.review': returnInput },
  ...{
    accounts: addEmptyTags,
    organizations: addEmptyTags,
    representatives: addEmptyTags,
    linked_bank_accounts: addEmptyTags,
  },
}
const eventConverters: Readonly<Partial<Record<EventResource, DataConverter>>> = {
  ...{
    charge: toProviderPayment,
    payout: toProviderPayment,
    paykey: toProviderPaykey,
    funding_event: toProviderFundingEvent,
    customer: toProviderCustomer,
  },
  ...{ account: addEmptyTags, representative: addEmptyTags, linked_bank_account: addEmptyTags },
}

/** Responses with times in whole seconds without a zone. Others have seven fraction digits. */
const wholeSecondOperationIds = [
  'customers.get',
  'customers.list',
  'organizations.get',
  'organizations.list',
]

/** A time is a text field whose name ends in `_at`. The client's own `metadata` is unchanged. */
function convertTimes(value: unknown, convertTime: (time: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => convertTimes(item, convertTime))
  if (typeof value !== 'object' || value === null) return value
  const convertedEntries = Object.entries(value).map(([name, part]) => {
    if (name === 'metadata') return [name, part]
    return [
      name,
      typeof part === 'string' && name.endsWith('_at')
        ? convertTime(part)
        : convertTimes(part, convertTime),
    ]
  })
  return Object.fromEntries(convertedEntries)
}

const toWholeSeconds = (time: string) => time.slice(0, 19)
const toSevenFractionDigits = (time: string) => time.replace('Z', '0000Z')

// Safe: each converter gets only its own operation's or event's object. Types cannot express it.
const applyConversion = (converter: DataConverter = returnInput, input: object) =>
  converter(input as never)

function toProviderData(input: object, { operation }: ResponseInfo): object {
  const providerData = applyConversion(
    responseConverters[operation] ?? responseConverters[operation.split('.')[0] ?? ''],
    input,
  )
  return convertTimes(
    providerData,
    wholeSecondOperationIds.includes(operation) ? toWholeSeconds : toSevenFractionDigits,
  ) as object
}

const toProviderEvent = (input: object, resource: EventResource): object =>
  convertTimes(applyConversion(eventConverters[resource], input), toSevenFractionDigits) as object

/** Undefined means that the provider has no such operation. */
const operationOverrides: Readonly<Record<string, OperationOverrides | undefined>> = {
  'capability_requests.create': undefined,
  'capability_requests.list': undefined,
  'capability_requests.create_for_account': {
    account: 'forbidden',
    input: allLimitsBodySchema,
  },
  'capability_requests.list_for_account': { account: 'forbidden' },
  'charges.create': {
    input: chargeBodySchema.extend({ consent_type: makeEnumSchema(['internet', 'signed']) }),
  },
}

/** `page_size` becomes `PageSize`. Names of headers stay unchanged. */
const toPascalCase = (reference: string) =>
  /^[a-z][\w.]*$/.test(reference)
    ? reference.replace(
        /(^|[._])([a-z])/g,
        (_, at: string, letter: string) => `${at === '.' ? at : ''}${letter.toUpperCase()}`,
      )
    : reference

type ErrorBody = { meta?: object; error?: { items?: { reference: string; detail: string }[] } }

/** Only a 400 has field names in PascalCase. An error body without `meta` stays unchanged. */
function toProviderError(body: ErrorBody, status: number): object {
  const { meta, error } = body
  if (!meta) return body
  const providerErrorItems =
    status === 400
      ? error?.items?.map(({ reference, detail }) => ({
          reference: toPascalCase(reference),
          detail,
        }))
      : undefined
  return {
    ...body,
    meta: { ...meta, total_rows: 0 },
    error: { ...error, ...(providerErrorItems ? { items: providerErrorItems } : {}) },
  }
}

const responseContentTypes = ['application/json', 'text/plain', 'text/json'] as const

const providerTimePattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?Z?$'

export const providerDialect: Dialect = {
  name: 'provider',
  seed: null,
  summary: 'It speaks as the provider does, where that is not what the interface document says.',
  account: {
    name: 'Provider-Account-Id',
    form: 'a UUID',
    described: 'its UUID',
    read: (value) => (uuidPattern.test(value) ? value.toLowerCase() : undefined),
  },
  changesOf: ({ id, output }) => {
    if (id in operationOverrides && operationOverrides[id] === undefined) return undefined
    return { ...operationOverrides[id], output: providerOutputSchemas.get(output) ?? output }
  },
  data: toProviderData,
  meta: (meta) => meta,
  envelope: (body) => body,
  // An authentication error has no body.
  refusal: (body, { shape, status }) =>
    shape === 'auth' ? undefined : toProviderError(body, status),
  event: toProviderEvent,
  answerTypes: responseContentTypes,
  contentType: (accept) => `${negotiateContentType(responseContentTypes, accept)}; charset=utf-8`,
  errorEnvelope: providerErrorEnvelopeSchema,
  describe: (schema) => {
    // Allow additional fields in responses: the provider sends fields that no contract lists.
    if (schema.additionalProperties === false) delete schema.additionalProperties
    if (schema.format !== 'date-time') return
    delete schema.format
    schema.pattern = providerTimePattern
  },
}
