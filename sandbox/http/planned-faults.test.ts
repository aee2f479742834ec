import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const releasePayout = (id: string, key = `key_${id}`.slice(0, 40)) =>
  client().put(`/v1/payouts/${id}/release`, { reason: 'go' }, { 'idempotency-key': key })
const listLoggedReleases = async (id: string) =>
  (await client().control(`requests?path=/v1/payouts/${id}/release`)).data

describe('a cut connection', () => {
  test.each([
    ['before anything else', { kind: 'refuse' }, 0],
    ['by a reset before the effect', { kind: 'reset', at: 'before' }, 0],
    ['by a reset after the effect', { kind: 'reset', at: 'after' }, 1],
    ['in the middle of the answer', { kind: 'truncate', at: 40 }, 1],
  ])('%s: a retry with the same key has one effect', async (_when, fault, effects) => {
    const payout = await client().payout()
    await client().fault({ operation: 'payouts.release', match: payout.id, ...fault })
    await expect(releasePayout(payout.id)).rejects.toThrow()
    expect(await client().effects(payout.id)).toHaveLength(effects)
    expect(await listLoggedReleases(payout.id)).toMatchObject([
      { fault: fault.kind, has_authorization: true },
    ])
    const retryResponse = await releasePayout(payout.id)
    expect([retryResponse.status, retryResponse.headers.get('idempotent-replayed')]).toEqual([
      200,
      effects === 1 ? 'true' : null,
    ])
    expect(await client().effects(payout.id)).toHaveLength(1)
  })
})

describe('a wrong status', () => {
  test.each([
    ['before', 503, 'json', 0],
    ['before', 500, 'none', 0],
    ['before', 502, 'html', 0],
    ['before', 429, 'json', 0],
    ['after', 500, 'json', 1],
    ['after', 504, 'html', 1],
  ])(
    '%s the effect, %i with %s: the key is used only if there is an effect',
    async (at, status, body, effects) => {
      const payout = await client().payout()
      await client().fault({
        operation: 'payouts.release',
        match: payout.id,
        kind: 'status',
        at,
        status,
        body,
        retry_after: 3,
      })
      const response = await releasePayout(payout.id)
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '3'])
      expect(response.text === '').toBe(body === 'none')
      if (body === 'html') expect(response.text).toMatch(/^<html>/)
      if (body === 'json') expect(response.json.error).toMatchObject({ status })
      expect(await client().effects(payout.id)).toHaveLength(effects)
      const retriedResponse = await releasePayout(payout.id)
      expect([retriedResponse.status, retriedResponse.headers.get('idempotent-replayed')]).toEqual([
        200,
        effects === 1 ? 'true' : null,
      ])
    },
  )

  test('a redirect has no effect and contains another location', async () => {
    const payout = await client().payout()
    await client().fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'redirect',
      status: 307,
      location: 'http://127.0.0.1:1/elsewhere',
    })
    const redirectResponse = await releasePayout(payout.id)
    expect([redirectResponse.status, redirectResponse.headers.get('location')]).toEqual([
      307,
      'http://127.0.0.1:1/elsewhere',
    ])
    expect(await client().effects(payout.id)).toEqual([])
  })

  test('an invalid body is a 200 after the effect', async () => {
    const payout = await client().payout()
    await client().fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'body',
      body: '{"meta":',
      content_type: 'application/json',
    })
    expect(await releasePayout(payout.id)).toMatchObject({ status: 200, text: '{"meta":' })
    expect(await client().effects(payout.id)).toHaveLength(1)
  })
})

test.each(['before', 'mid', 'after'])(
  'a delay %s the effect is visible in the journal',
  async (at) => {
    const payout = await client().payout()
    await client().fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'delay',
      ms: 1_000,
      at,
    })
    const pendingRelease = releasePayout(payout.id)
    await expect.poll(() => listLoggedReleases(payout.id)).toMatchObject([{ fault: 'delay' }])
    if (at === 'after') await expect.poll(() => client().effects(payout.id)).toHaveLength(1)
    expect((await listLoggedReleases(payout.id))[0]).toMatchObject({
      status: at === 'after' ? 200 : null,
      fault: 'delay',
    })
    expect((await pendingRelease).status).toBe(200)
    expect(await client().effects(payout.id)).toHaveLength(1)
  },
)

describe('a fault applies to', () => {
  const statusFault = { kind: 'status', status: 503 }

  test('its operation only, as often as configured, after the skipped requests', async () => {
    const payout = await client().payout()
    await client().fault({
      operation: 'payouts.get',
      match: payout.id,
      ...statusFault,
      count: 2,
      skip: 1,
    })
    expect((await client().ask('/v1/payments?page_size=1')).status).toBe(200)
    const responseStatuses: number[] = []
    for (let turn = 0; turn < 5; turn++)
      responseStatuses.push((await client().ask(`/v1/payouts/${payout.id}`)).status)
    expect(responseStatuses).toEqual([200, 503, 503, 200, 200])
    const { data } = await client().control('faults')
    expect(data.at(-1)).toMatchObject({
      operation: 'payouts.get',
      kind: 'status',
      count: 2,
      hits: 2,
    })
  })

  test('every operation until it is deleted', async () => {
    await client().fault({ operation: '*', match: '*', ...statusFault, count: null })
    for (const path of ['/v1/accounts', '/v1/payments', '/v1/accounts'])
      expect((await client().ask(path)).status).toBe(503)
    await fetch((await client().controlRaw('faults')).url, { method: 'DELETE' })
    expect((await client().ask('/v1/accounts')).status).toBe(200)
    expect((await client().control('faults')).data).toEqual([])
  })

  test('only requests that contain its text in path, query, account, key or body', async () => {
    const [own, other] = [await client().payout(), await client().payout()]
    const setStatusFault = (operation: string, match: string) =>
      client().fault({ operation, match, ...statusFault })
    await setStatusFault('payouts.release', own.id)
    expect((await releasePayout(other.id)).status).toBe(200)
    expect((await releasePayout(own.id)).status).toBe(503)

    await setStatusFault('payouts.hold', 'key-of-one-hold')
    const holdPayout = (key: string) =>
      client().put(`/v1/payouts/${own.id}/hold`, { reason: 'wait' }, { 'idempotency-key': key })
    expect((await holdPayout('key-of-another')).status).not.toBe(503)
    expect((await holdPayout('key-of-one-hold')).status).toBe(503)

    await setStatusFault('payments.search', 'rent of May')
    expect((await client().ask('/v1/payments?search_text=rent%20of%20June')).status).toBe(200)
    expect((await client().ask('/v1/payments?search_text=rent%20of%20May')).status).toBe(503)

    await setStatusFault('paykeys.list', own.account_id)
    expect((await client().ask('/v1/paykeys')).status).toBe(200)
    expect(
      (
        await client().ask('/v1/paykeys', {
          headers: { 'service-account-id': `acct_${own.account_id}` },
        })
      ).status,
    ).toBe(503)

    await setStatusFault('organizations.create', 'Refused Group')
    expect((await client().post('/v1/organizations', { name: 'Another Group' })).status).toBe(201)
    expect((await client().post('/v1/organizations', { name: 'Refused Group' })).status).toBe(503)
    const { data } = await client().control('faults')
    expect(data.slice(-5).map((fault) => fault.hits)).toEqual([1, 1, 1, 1, 1])
  })

  test('no request after it is deleted, while other faults stay', async () => {
    const payout = await client().payout()
    const faultPlan = { operation: 'payouts.get', match: payout.id, ...statusFault }
    const firstFault = await client().control<{ id: string }>('faults', faultPlan)
    await client().fault({ ...faultPlan, status: 418 })
    const deleteFault = async () =>
      (
        await fetch((await client().controlRaw(`faults/${firstFault.id}`)).url, {
          method: 'DELETE',
        })
      ).status
    expect([await deleteFault(), await deleteFault()]).toEqual([200, 404])
    expect((await client().ask(`/v1/payouts/${payout.id}`)).status).toBe(418)
  })

  test('a share of the requests', async () => {
    await client().fault({
      operation: 'accounts.list',
      match: '*',
      ...statusFault,
      count: null,
      probability: 0.5,
    })
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => client().ask('/v1/accounts?page_size=1')),
    )
    const faultedResponseCount = responses.filter((answer) => answer.status === 503).length
    expect(faultedResponseCount).toBeGreaterThan(10)
    expect(faultedResponseCount).toBeLessThan(50)
    await fetch((await client().controlRaw('faults')).url, { method: 'DELETE' })
  })
})

test('an exceeded rate limit is 429 until it is removed', async () => {
  await client().control('rate-limit', { per_second: 2 })
  const burstResponses = await Promise.all(
    Array.from({ length: 12 }, () => client().ask('/v1/accounts?page_size=1')),
  )
  await client().control('rate-limit', { per_second: null })
  const limitedResponses = burstResponses.filter((answer) => answer.status === 429)
  expect(limitedResponses.length).toBeGreaterThan(0)
  expect(limitedResponses.length).toBeLessThanOrEqual(10)
  expect(limitedResponses[0]?.json.error).toMatchObject({ status: 429, title: 'Too Many Requests' })
  expect((await client().ask('/v1/accounts')).status).toBe(200)
})

test('the request log contains the request data but never the key', async () => {
  const payout = await client().payout({})
  await client().put(
    `/v1/payouts/${payout.id}/release?x=1`,
    { reason: 'go' },
    { 'request-id': 'r', 'correlation-id': 'c', 'service-account-id': payout.account_id },
  )
  await client().ask('/v1/unknown')
  const { data } = await client().control('requests')
  expect(data.at(-2)).toMatchObject({
    ...{
      method: 'PUT',
      query: 'x=1',
      request_id: 'r',
      correlation_id: 'c',
      account_header: payout.account_id,
    },
    ...{
      idempotency_key: null,
      has_authorization: true,
      body_bytes: 15,
      status: 400,
      replayed: false,
      fault: null,
    },
  })
  expect(data.at(-1)).toMatchObject({ path: '/v1/unknown', status: 404 })
  expect(JSON.stringify(data)).not.toMatch(/Bearer|eyJ/)
  const seqBeforeLastRequest = Number(data.at(-2)?.seq)
  expect(
    (await client().control(`requests?since=${seqBeforeLastRequest}`)).data.map(
      (entry) => entry.path,
    ),
  ).toEqual(['/v1/unknown'])
})
