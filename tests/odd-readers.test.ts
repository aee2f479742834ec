import { beforeAll, describe, expect, test } from 'vitest'
import { toRequestParts } from '@/lib/operations/http'
import { getSchemas } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { type ParsedAnswer, parseSuccessAnswer, toServiceError } from '@/lib/server/service/answer'
import {
  createUnmaskedSample,
  secretSamples,
  toWireSchema,
} from '@/tests/operations/answer-violations'
import { createOddConverter, type ResponseBody } from '@/tests/sandbox/odd-converter'
import { sampleConverterSeeds } from './harness/odd-seeds'
import { type Sandbox, startSandbox } from './harness/sandbox'

const seeds = sampleConverterSeeds(10)
const fullTokenPattern = /[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}/

function parseResponseText(
  id: ServiceOperationId,
  { contentType, text }: { contentType: string | null; text: string },
): ParsedAnswer {
  const parsedAnswer = parseSuccessAnswer(id, {
    kind: 'answer',
    status: 200,
    headers: contentType === null ? {} : { 'content-type': contentType },
    text,
  })
  if (!parsedAnswer)
    throw new Error(`${id} could not be read: ${contentType} ${text.slice(0, 300)}`)
  return parsedAnswer
}

const toShownText = ({ data, rows }: ParsedAnswer): string => JSON.stringify({ data, rows })
/**
 * One operation for each response schema, because some operations share a schema: for example,
 * holding and reading a payout.
 */
const operationIdPerSchema = [
  ...new Map(serviceOperationIds.map((id) => [getSchemas(id).output, id])).values(),
]

const isResponseShown = (id: ServiceOperationId): boolean =>
  !getServiceOperation(id).sensitive && !getServiceOperation(id).internal

beforeAll(() => {
  Object.assign(process.env, {
    LOG_LEVEL: 'silent',
    EMBEDDED_SANDBOX_URL: 'http://127.0.0.1:4010',
    EMBEDDED_SANDBOX_API_KEY: 'a-key-that-stands-in-no-answer',
    APP_ORIGIN: 'http://127.0.0.1:3000',
    AUTH_SECRET: '0123456789abcdef0123456789abcdef',
    ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
  })
})

describe('responses of a service that masks nothing', () => {
  const sampleMeta = {
    api_request_id: '0190a000-0000-7000-8000-000000000001',
    page_number: 1,
    page_size: 25,
    total_items: 3,
  }

  const buildSampleResponse = (id: ServiceOperationId): ResponseBody => {
    const sampleData = createUnmaskedSample(toWireSchema(id)) as object
    const responseType = Array.isArray(sampleData) ? 'array' : 'object'
    return {
      meta: sampleMeta,
      response_type: responseType,
      data: Array.isArray(sampleData)
        ? [sampleData[0], { ...sampleData[0], id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e60' }]
        : sampleData,
    }
  }

  test.each(operationIdPerSchema)(
    `%s: readable at ${seeds.length} seeds, without any masked data`,
    (id) => {
      const sample = buildSampleResponse(id)
      const seedTextPairs = seeds.map(
        (seed) =>
          [
            seed,
            toShownText(parseResponseText(id, createOddConverter(seed).answer(id, sample))),
          ] as const,
      )
      if (!isResponseShown(id) || getServiceOperation(id).credential) return
      const secretParts = Object.values(secretSamples).map(([, part]) => part)
      expect(
        seedTextPairs.flatMap(([seed, text]) =>
          secretParts.filter((part) => text.includes(part)).map((part) => `seed ${seed}: ${part}`),
        ),
      ).toEqual([])
    },
  )
})

describe('responses of the sandbox', () => {
  let sandbox: Sandbox
  const responsesByOperation = new Map<ServiceOperationId, ResponseBody[]>()
  const readOperationIds = serviceOperationIds.filter(
    (id) => getServiceOperation(id).effect === 'read',
  )

  async function callSandbox(
    id: ServiceOperationId,
    input: Record<string, unknown>,
    account?: string,
  ): Promise<ResponseBody> {
    const { path, query } = toRequestParts(
      id,
      getSchemas(id).input.parse(input) as Record<string, unknown>,
    )
    const headers = {
      authorization: `Bearer ${sandbox.keys.full}`,
      ...(account ? { 'service-account-id': `acct_${account}` } : {}),
    }
    const response = await fetch(`${sandbox.url}/v1${path}?${query}`, { headers })
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`)
    return (await response.json()) as ResponseBody
  }

  const listIds = ({ data }: ResponseBody): string[] =>
    (data as { id: string }[]).map((row) => row.id)

  /**
   * The list operation and filters that find the objects of a resource, if that is not simply
   * `RESOURCE.list`.
   */
  const listOperationByResource: Record<string, [ServiceOperationId, Record<string, unknown>]> = {
    charges: ['payments.search', { payment_type: 'charge' }],
    payouts: ['payments.search', { payment_type: 'payout' }],
    account_settings: ['accounts.list', {}],
  }

  async function collectResponses(id: ServiceOperationId): Promise<ResponseBody[]> {
    const [ownAccountId = ''] = listIds(await callSandbox('accounts.list', { status: 'active' }))
    const scopedAccountId =
      getAccountHeaderRule(id, 'saas') === 'required' ? ownAccountId : undefined
    if (!getServiceOperation(id).path.includes(':id')) {
      const queryInput =
        id === 'customers.by_email' ? { email: 'nobody@example.com' } : { page_size: 100 }
      return [await callSandbox(id, queryInput, scopedAccountId)]
    }
    const resource = id.slice(0, id.indexOf('.'))
    const [listId, input] = listOperationByResource[resource] ?? [
      `${resource}.list` as ServiceOperationId,
      {},
    ]
    const objectIds = listIds(
      await callSandbox(
        listId,
        { ...input, page_size: 100 },
        getAccountHeaderRule(listId, 'saas') === 'required' ? ownAccountId : undefined,
      ),
    )
    return Promise.all(
      objectIds.slice(0, 12).map((each) => callSandbox(id, { id: each }, scopedAccountId)),
    )
  }

  beforeAll(async () => {
    sandbox = await startSandbox()
    for (const id of listIds(await callSandbox('accounts.list', { page_size: 100 })))
      await sandbox.configure(id, { allow_data_unmask: true })
    for (const id of readOperationIds) responsesByOperation.set(id, await collectResponses(id))
    return () => sandbox.stop()
  })

  /**
   * Returns a response with at most four rows of its list, selected by the seed. Returns a response
   * without a list unchanged.
   */
  const selectFourRows = (responseBody: ResponseBody, seed: number): ResponseBody => {
    if (!Array.isArray(responseBody.data) || responseBody.data.length === 0) return responseBody
    const firstIndex = (seed * 4) % responseBody.data.length
    return { ...responseBody, data: responseBody.data.slice(firstIndex, firstIndex + 4) }
  }

  function listSecretTexts(value: unknown): string[] {
    // Short texts, constants and texts that the service itself masked are not secret.
    if (typeof value === 'string')
      return value.length < 6 || value.includes('*') || /^[a-z_]+$/.test(value) ? [] : [value]
    return typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(listSecretTexts)
      : []
  }

  /**
   * Returns the texts in these responses that Paydesk hides: those that are missing after a parse
   * of the unchanged responses.
   */
  function findHiddenTexts(id: ServiceOperationId, responses: readonly ResponseBody[]): string[] {
    const allShownText = responses
      .map((told) =>
        toShownText(
          parseResponseText(id, { contentType: 'application/json', text: JSON.stringify(told) }),
        ),
      )
      .join('')
    return [...new Set(responses.flatMap((told) => listSecretTexts(told.data)))].filter(
      (text) => !allShownText.includes(JSON.stringify(text).slice(1, -1)),
    )
  }

  test.each(readOperationIds)(
    `%s: readable at ${seeds.length} seeds, with every row and no hidden data`,
    (id) => {
      const allResponses = responsesByOperation.get(id) ?? []
      expect(allResponses.length, 'answers to read').toBeGreaterThan(0)
      const hiddenTexts = findHiddenTexts(id, allResponses)
      for (const seed of seeds) {
        const response = selectFourRows(
          allResponses[seed % allResponses.length] as ResponseBody,
          seed,
        )
        const oddParsedAnswer = parseResponseText(id, createOddConverter(seed).answer(id, response))
        const parsedText = toShownText(oddParsedAnswer)
        if (id !== 'paykeys.reveal')
          expect(fullTokenPattern.test(parsedText), `a token at seed ${seed}`).toBe(false)
        expect(
          hiddenTexts.filter((each) => parsedText.includes(JSON.stringify(each).slice(1, -1))),
          `seed ${seed}`,
        ).toEqual([])
        if (!Array.isArray(response.data)) continue
        const { data } = oddParsedAnswer as { data: { id: string }[] }
        expect(data.length + oddParsedAnswer.rows.length, `rows at seed ${seed}`).toBe(
          response.data.length,
        )
        const ids = response.data.map((row: { id: string }) => row.id)
        expect(
          data.filter((row) => !ids.includes(row.id)),
          `ids at seed ${seed}`,
        ).toEqual([])
      }
    },
  )
})

const refusalResponses: [status: number, words: string, body: object][] = [
  [
    422,
    'The amount is too large.',
    {
      meta: {},
      response_type: 'error',
      error: {
        status: 422,
        type: '/validation_error',
        title: 'No',
        detail: 'The amount is too large.',
        items: [{ reference: 'amount', detail: 'is too large' }],
      },
    },
  ],
  [
    409,
    'This key was used.',
    { status: 409, type: '/conflict', title: 'Conflict', detail: 'This key was used.' },
  ],
  [
    401,
    'No such key',
    {
      meta: {},
      response_type: 'error',
      error: { code: 'invalid_api_key', message: 'No such key', type: 'authentication_error' },
    },
  ],
]

test.each(refusalResponses)(
  'a refusal of %i keeps its text at every seed: %s',
  (status, words, body) => {
    for (const seed of seeds) {
      const { contentType, text } = createOddConverter(seed).refusal(body)
      const headers: Record<string, string> =
        contentType === null ? {} : { 'content-type': contentType }
      expect(
        toServiceError({ kind: 'answer', status, headers, text }, 'r').message,
        `seed ${seed}`,
      ).toBe(words)
    }
  },
)
