import { wholeRequestBody } from '@/sandbox/capability-requests/capability-request-input'
import { word } from '@/sandbox/http/fields'
import { negotiate } from '@/sandbox/http/negotiate'
import { chargeBody } from '@/sandbox/payments/payment-bodies'
import { uuidPattern } from '@/sandbox/store/new-id'
import type { Changes, Dialect } from './dialect'
import { providerData, providerEvent } from './provider-answers'
import { providerErrorEnvelope, providerOutputs } from './provider-schemas'

/** Operations the provider lacks (undefined), and overrides of others. */
const changes: Readonly<Record<string, Changes | undefined>> = {
  'capability_requests.create': undefined,
  'capability_requests.list': undefined,
  'capability_requests.create_for_account': { account: 'forbidden', input: wholeRequestBody },
  'capability_requests.list_for_account': { account: 'forbidden' },
  'charges.create': { input: chargeBody.extend({ consent_type: word(['internet', 'signed']) }) },
}

/** Returns the provider's name of an invalid field: `page_size` becomes `PageSize`. Header names stay. */
const pascal = (reference: string) =>
  /^[a-z][\w.]*$/.test(reference)
    ? reference.replace(/(^|[._])([a-z])/g, (_, at: string, letter: string) => `${at === '.' ? at : ''}${letter.toUpperCase()}`)
    : reference

type Refusal = { meta?: object; error?: { items?: { reference: string; detail: string }[] } }

/** Adds the row count of the provider's errors. A body without `meta` stays as in the interface document. */
function refusalOf(body: Refusal, status: number): object {
  const { meta, error } = body
  if (!meta) return body
  const items = status === 400 ? error?.items?.map(({ reference, detail }) => ({ reference: pascal(reference), detail })) : undefined
  return { ...body, meta: { ...meta, total_rows: 0 }, error: { ...error, ...(items ? { items } : {}) } }
}

const answerTypes = ['application/json', 'text/plain', 'text/json'] as const

/** Pattern of a time in any response: 0 to 7 fraction digits, with or without a zone. */
const time = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?Z?$'

/** The provider's wire format, from its public contracts and from observing its sandbox. */
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
    if (id in changes && changes[id] === undefined) return undefined
    return { ...changes[id], output: providerOutputs.get(output) ?? output }
  },
  data: providerData,
  meta: (meta) => meta,
  envelope: (body) => body,
  // An authentication error has no body.
  refusal: (body, { shape, status }) => (shape === 'auth' ? undefined : refusalOf(body, status)),
  event: providerEvent,
  answerTypes,
  contentType: (accept) => `${negotiate(answerTypes, accept)}; charset=utf-8`,
  errorEnvelope: providerErrorEnvelope,
  describe: (schema) => {
    // Live responses have fields that no contract lists.
    if (schema.additionalProperties === false) delete schema.additionalProperties
    if (schema.format !== 'date-time') return
    delete schema.format
    schema.pattern = time
  },
}
