import { beforeAll, describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

type ListRow = { id: string } | null
type ResponseBody = {
  response_type: string
  data: ListRow[] & { id?: string }
  error?: Record<string, unknown>
}

const { process, client } = startSandboxPerFile()

/**
 * Sends a request without checking the response against a schema, because odd responses match none.
 */
async function sendRequest(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; type: string | null; text: string; json: ResponseBody }> {
  const response = await fetch(`${process().url}/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${process().keys.full}`, ...init.headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text,
    json: JSON.parse(text) as ResponseBody,
  }
}

const setDialect = (name: string, seed?: number) =>
  client().control('dialect', { name, ...(seed === undefined ? {} : { seed }) })
const listIds = (rows: readonly ListRow[]) => rows.map((row) => row?.id)

describe('a service in the odd dialect', () => {
  let regularResponse: ResponseBody
  beforeAll(async () => {
    await setDialect('document')
    regularResponse = (await sendRequest('/payments?page_size=50')).json
  })

  test('is switched on with a seed and off again', async () => {
    expect(await setDialect('odd', 12)).toEqual({ name: 'odd', seed: 12 })
    expect((await sendRequest('/payments?page_size=50')).json.data).not.toEqual(
      regularResponse.data,
    )
    expect(await setDialect('document')).toEqual({ name: 'document', seed: null })
    expect((await sendRequest('/payments?page_size=50')).json.data).toEqual(regularResponse.data)
    // Without `seed`, the dialect uses the seed of the stored data.
    expect(await setDialect('odd')).toEqual({ name: 'odd', seed: 1 })
  })

  test.each([1, 2, 3, 40, 500])(
    'returns an object in the same way each time at seed %i, with its ID',
    async (seed) => {
      await setDialect('odd', seed)
      const [once, again] = [
        await sendRequest('/payments?page_size=50'),
        await sendRequest('/payments?page_size=50'),
      ]
      expect(again.json.data).toEqual(once.json.data)
      expect([once.status, once.json.response_type, once.type]).toEqual([200, 'array', again.type])
      const unchangedIds = listIds(once.json.data).filter(
        (id, at) => id === regularResponse.data[at]?.id,
      )
      expect(unchangedIds.length).toBeGreaterThan(44)
    },
  )

  test('replays a write in the dialect of the write, whatever the current dialect', async () => {
    const payout = await client().payout({ status: 'created' })
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': 'odd-replay-1',
      'service-account-id': `acct_${payout.account_id}`,
    }
    const holdPayout = () =>
      sendRequest(`/payouts/${payout.id}/hold`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ reason: 'Wait' }),
      })
    await setDialect('odd', 31)
    const firstResponse = await holdPayout()
    expect([firstResponse.status, firstResponse.json.data.id]).toEqual([200, payout.id])
    await setDialect('document')
    expect((await holdPayout()).text).toBe(firstResponse.text)
    const { data: effects } = await client().control<{ data: unknown[] }>(
      `journal?target=${payout.id}`,
    )
    expect(effects).toHaveLength(1)
  })

  test.each([3, 8, 21])('refuses with readable texts at seed %i', async (seed) => {
    await setDialect('odd', seed)
    const notFoundResponse = await sendRequest('/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f')
    expect([notFoundResponse.status, notFoundResponse.json.error]).toEqual([
      404,
      expect.objectContaining({ status: 404, detail: 'No such payout.' }),
    ])
    const unauthorizedResponse = await sendRequest(
      '/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
      {
        headers: { authorization: 'Bearer nobody' },
      },
    )
    expect([unauthorizedResponse.status, unauthorizedResponse.json.error]).toEqual([
      401,
      expect.objectContaining({ code: 'invalid_api_key' }),
    ])
  })
})
