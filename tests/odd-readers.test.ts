import { beforeAll, describe, expect, test } from 'vitest'
import { toRequest } from '@/lib/operations/http'
import { getSchemas } from '@/lib/operations/registry'
import { type ServiceOperationId, serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { type ParsedAnswer, parseSuccess, toServiceError } from '@/lib/server/service/answer'
import { createUnmaskedSample, secretSamples, toWireSchema } from '@/tests/operations/answer-violations'
import { createOddConverter, type ResponseBody } from '@/tests/sandbox/odd-converter'
import { sampleOddSeeds } from './harness/odd-seeds'
import { type Sandbox, startSandbox } from './harness/sandbox'

const seeds = sampleOddSeeds(10)
const fullToken = /[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}/

function parseAnswer(id: ServiceOperationId, { contentType, text }: { contentType: string | null; text: string }): ParsedAnswer {
  const parsed = parseSuccess(id, {
    kind: 'answer',
    status: 200,
    headers: contentType === null ? {} : { 'content-type': contentType },
    text,
  })
  if (!parsed) throw new Error(`${id} could not be read: ${contentType} ${text.slice(0, 300)}`)
  return parsed
}

const toShownText = ({ data, rows }: ParsedAnswer): string => JSON.stringify({ data, rows })
/** One operation for each schema of responses. For example, holding a payout has the same schema as reading it. */
const operationsBySchema = [...new Map(serviceOperationIds.map((id) => [getSchemas(id).output, id])).values()]

const isShown = (id: ServiceOperationId): boolean => !serviceOperation(id).sensitive && !serviceOperation(id).internal

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
  const meta = { api_request_id: '0190a000-0000-7000-8000-000000000001', page_number: 1, page_size: 25, total_items: 3 }

  const buildSample = (id: ServiceOperationId): ResponseBody => {
    const data = createUnmaskedSample(toWireSchema(id)) as object
    const responseType = Array.isArray(data) ? 'array' : 'object'
    return {
      meta,
      response_type: responseType,
      data: Array.isArray(data) ? [data[0], { ...data[0], id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e60' }] : data,
    }
  }

  test.each(operationsBySchema)(`%s: readable at ${seeds.length} seeds, without any masked data`, (id) => {
    const sample = buildSample(id)
    const textsBySeed = seeds.map((seed) => [seed, toShownText(parseAnswer(id, createOddConverter(seed).answer(id, sample)))] as const)
    if (!isShown(id) || serviceOperation(id).credential) return
    const secretParts = Object.values(secretSamples).map(([, part]) => part)
    expect(
      textsBySeed.flatMap(([seed, text]) => secretParts.filter((part) => text.includes(part)).map((part) => `seed ${seed}: ${part}`)),
    ).toEqual([])
  })
})

describe('responses of the sandbox', () => {
  let sandbox: Sandbox
  const answers = new Map<ServiceOperationId, ResponseBody[]>()
  const readIds = serviceOperationIds.filter((id) => serviceOperation(id).effect === 'read')

  async function callSandbox(id: ServiceOperationId, input: Record<string, unknown>, account?: string): Promise<ResponseBody> {
    const { path, query } = toRequest(id, getSchemas(id).input.parse(input) as Record<string, unknown>)
    const headers = { authorization: `Bearer ${sandbox.keys.full}`, ...(account ? { 'service-account-id': `acct_${account}` } : {}) }
    const response = await fetch(`${sandbox.url}/v1${path}?${query}`, { headers })
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`)
    return (await response.json()) as ResponseBody
  }

  const listIds = ({ data }: ResponseBody): string[] => (data as { id: string }[]).map((row) => row.id)

  /** The list operation and filter that find objects of a resource. */
  const lists: Record<string, [ServiceOperationId, Record<string, unknown>]> = {
    charges: ['payments.search', { payment_type: 'charge' }],
    payouts: ['payments.search', { payment_type: 'payout' }],
    account_settings: ['accounts.list', {}],
  }

  async function collectAnswers(id: ServiceOperationId): Promise<ResponseBody[]> {
    const [own = ''] = listIds(await callSandbox('accounts.list', { status: 'active' }))
    const account = serviceOperation(id).scope === 'required' ? own : undefined
    if (!serviceOperation(id).path.includes(':id')) {
      const input = id === 'customers.by_email' ? { email: 'nobody@example.com' } : { page_size: 100 }
      return [await callSandbox(id, input, account)]
    }
    const resource = id.slice(0, id.indexOf('.'))
    const [list, input] = lists[resource] ?? [`${resource}.list` as ServiceOperationId, {}]
    const objectIds = listIds(
      await callSandbox(list, { ...input, page_size: 100 }, serviceOperation(list).scope === 'required' ? own : undefined),
    )
    return Promise.all(objectIds.slice(0, 12).map((each) => callSandbox(id, { id: each }, account)))
  }

  beforeAll(async () => {
    sandbox = await startSandbox()
    for (const id of listIds(await callSandbox('accounts.list', { page_size: 100 })))
      await sandbox.configure(id, { allow_data_unmask: true })
    for (const id of readIds) answers.set(id, await collectAnswers(id))
    return () => sandbox.stop()
  })

  /** Returns a few rows of a list. The seed selects them. */
  const selectRows = (told: ResponseBody, seed: number): ResponseBody => {
    if (!Array.isArray(told.data) || told.data.length === 0) return told
    const firstIndex = (seed * 4) % told.data.length
    return { ...told, data: told.data.slice(firstIndex, firstIndex + 4) }
  }

  function listTexts(value: unknown): string[] {
    // Texts that the service itself masked, and constants, are not secret.
    if (typeof value === 'string') return value.length < 6 || value.includes('*') || /^[a-z_]+$/.test(value) ? [] : [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
  }

  /** Returns the texts in these responses that are not shown after a normal parse. */
  function findHiddenTexts(id: ServiceOperationId, all: readonly ResponseBody[]): string[] {
    const shownText = all
      .map((told) => toShownText(parseAnswer(id, { contentType: 'application/json', text: JSON.stringify(told) })))
      .join('')
    return [...new Set(all.flatMap((told) => listTexts(told.data)))].filter(
      (text) => !shownText.includes(JSON.stringify(text).slice(1, -1)),
    )
  }

  test.each(readIds)(`%s: readable at ${seeds.length} seeds, with every row and no hidden data`, (id) => {
    const allResponses = answers.get(id) ?? []
    expect(allResponses.length, 'answers to read').toBeGreaterThan(0)
    const hiddenTexts = findHiddenTexts(id, allResponses)
    for (const seed of seeds) {
      const response = selectRows(allResponses[seed % allResponses.length] as ResponseBody, seed)
      const parsed = parseAnswer(id, createOddConverter(seed).answer(id, response))
      const text = toShownText(parsed)
      if (id !== 'paykeys.reveal') expect(fullToken.test(text), `a token at seed ${seed}`).toBe(false)
      expect(
        hiddenTexts.filter((each) => text.includes(JSON.stringify(each).slice(1, -1))),
        `seed ${seed}`,
      ).toEqual([])
      if (!Array.isArray(response.data)) continue
      const { data } = parsed as { data: { id: string }[] }
      expect(data.length + parsed.rows.length, `rows at seed ${seed}`).toBe(response.data.length)
      const ids = response.data.map((row: { id: string }) => row.id)
      expect(
        data.filter((row) => !ids.includes(row.id)),
        `ids at seed ${seed}`,
      ).toEqual([])
    }
  })
})

const refusals: [status: number, words: string, body: object][] = [
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
  [409, 'This key was used.', { status: 409, type: '/conflict', title: 'Conflict', detail: 'This key was used.' }],
  [
    401,
    'No such key',
    { meta: {}, response_type: 'error', error: { code: 'invalid_api_key', message: 'No such key', type: 'authentication_error' } },
  ],
]

test.each(refusals)('a refusal of %i keeps its text at every seed: %s', (status, words, body) => {
  for (const seed of seeds) {
    const { contentType, text } = createOddConverter(seed).refusal(body)
    const headers: Record<string, string> = contentType === null ? {} : { 'content-type': contentType }
    expect(toServiceError({ kind: 'answer', status, headers, text }, 'r').message, `seed ${seed}`).toBe(words)
  }
})
