import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { runSandbox, type SandboxEnvironment } from '@/tests/sandbox/start-process'
import { operations } from './operations'

const { folder, start } = createTestProcesses()
const fewPaymentsFlags = ['--payments', '50']

const requireProduction = (
  foundEnvironment: SandboxEnvironment | undefined,
): SandboxEnvironment => {
  if (!foundEnvironment) throw new Error('production was not asked for')
  return foundEnvironment
}
const listPaymentIds = async (client: SandboxClient) =>
  ((await client.ask('/v1/payments?page_size=1000')).json.data as { id: string }[]).map(
    ({ id }) => id,
  )

describe('two environments', () => {
  test('in one process share no keys, objects or effects', async () => {
    const { process, client: sandboxClient } = await start(
      folder(),
      ...fewPaymentsFlags,
      '--environment',
      'both',
    )
    const productionProcess = requireProduction(process.production)
    const productionClient = new SandboxClient(productionProcess)
    expect(process.lines.filter((line) => line.includes('ready'))).toEqual([
      `sandbox ready ${process.url}`,
      `production ready ${productionProcess.url}`,
    ])
    for (const [client, key] of [
      [sandboxClient, productionProcess.keys.full],
      [productionClient, process.keys.full],
      [productionClient, productionProcess.keys.foreign],
    ] as const) {
      expect((await client.ask('/v1/payments', { key })).json.error).toMatchObject({
        code: 'invalid_api_key',
      })
    }
    const [sandboxPaymentIds, productionPaymentIds] = [
      await listPaymentIds(sandboxClient),
      await listPaymentIds(productionClient),
    ]
    expect([sandboxPaymentIds.length, productionPaymentIds.length]).toEqual([50, 50])
    expect(sandboxPaymentIds.filter((id) => productionPaymentIds.includes(id))).toEqual([])
    const payout = await productionClient.payout()
    expect((await productionClient.put(`/v1/payouts/${payout.id}/release`, {})).status).toBe(200)
    expect((await sandboxClient.ask(`/v1/payouts/${payout.id}`)).status).toBe(404)
    expect([
      (await productionClient.effects(payout.id)).length,
      (await sandboxClient.effects(payout.id)).length,
    ]).toEqual([1, 0])
    expect(await process.stop()).toBe(0)
  })

  test('production alone has the same data as together with the sandbox', async () => {
    const { process: bothProcess } = await start(
      folder(),
      ...fewPaymentsFlags,
      '--environment',
      'both',
    )
    const paymentIdsBefore = await listPaymentIds(
      new SandboxClient(requireProduction(bothProcess.production)),
    )
    await bothProcess.stop()
    const productionOnlySandbox = await start(
      bothProcess.folder,
      ...fewPaymentsFlags,
      '--environment',
      'production',
    )
    expect(productionOnlySandbox.process.lines).toEqual([
      `production ready ${productionOnlySandbox.process.url}`,
    ])
    expect(await listPaymentIds(productionOnlySandbox.client)).toEqual(paymentIdsBefore)
  })

  test('a taken production port is reported with its own flag', async () => {
    const runningSandbox = await start(folder(), ...fewPaymentsFlags)
    const port = new URL(runningSandbox.process.url).port
    const { code, error } = await runSandbox(
      '--port',
      '0',
      '--data',
      folder(),
      '--payments',
      '50',
      '--environment',
      'both',
      '--production-port',
      port,
    )
    expect([code, error.trim()]).toEqual([
      1,
      `port ${port} is taken; choose another with --production-port`,
    ])
  })

  test('production rejects every simulation, whatever the body', async () => {
    const simulationOperations = operations.filter(({ only }) => only === 'sandbox')
    expect(simulationOperations.length).toBeGreaterThan(0)
    const { client } = await start(folder(), ...fewPaymentsFlags, '--environment', 'production')
    for (const { method, path } of simulationOperations) {
      const response = await client.ask(path.replace(/:\w+/g, randomUUID()), { method, body: '{' })
      expect([path, response.json.error]).toEqual([
        path,
        expect.objectContaining({ status: 403, type: '/forbidden' }),
      ])
    }
  })
})

describe('the rate limit of production', () => {
  /**
   * Repeats a request until the response is a 429, and returns the number of requests. The loop
   * ends soon, because the test sends far more requests per second than the limit allows.
   */
  const countRequestsUntilLimited = async (sendRequest: () => Promise<{ status: number }>) => {
    for (let count = 1; ; count++) if ((await sendRequest()).status === 429) return count
  }

  test('is shared by all keys and accounts of the platform', async () => {
    const { process, client } = await start(
      folder(),
      ...fewPaymentsFlags,
      '--environment',
      'production',
      '--rate-limit',
      '3',
    )
    const accounts = (await client.ask('/v1/accounts')).json.data as { id: string }[]
    let requestCount = 0
    await countRequestsUntilLimited(() => {
      requestCount += 1
      const apiKey = requestCount % 2 ? process.keys.full : process.keys.read_only
      const headers = {
        'service-account-id': `acct_${accounts[requestCount % accounts.length]?.id}`,
      }
      return client.ask('/v1/payments?page_size=1', { key: apiKey, headers })
    })
    expect(requestCount).toBeGreaterThan(1)
  })

  test('is 50 by default, is restored by a reset, and does not use the key of a refused write', async () => {
    const { client } = await start(folder(), ...fewPaymentsFlags, '--environment', 'production')
    const payout = await client.payout()
    expect(
      await countRequestsUntilLimited(() => client.ask('/v1/account_settings/x')),
    ).toBeGreaterThan(50)
    await client.control('rate-limit', { per_second: 0 })
    const idempotencyHeader = { 'idempotency-key': 'kept-for-later' }
    const refusedResponse = await client.put(
      `/v1/payouts/${payout.id}/release`,
      {},
      idempotencyHeader,
    )
    expect(refusedResponse.json.error).toMatchObject({ status: 429, type: '/too_many_requests' })
    await client.control('rate-limit', { per_second: null })
    const releaseResponse = await client.put(
      `/v1/payouts/${payout.id}/release`,
      { reason: 'now' },
      idempotencyHeader,
    )
    expect([releaseResponse.status, releaseResponse.headers.get('idempotent-replayed')]).toEqual([
      200,
      null,
    ])
    expect(await client.effects(payout.id)).toHaveLength(1)
    await client.control('reset', {})
    expect(
      await countRequestsUntilLimited(() => client.ask('/v1/account_settings/x')),
    ).toBeGreaterThan(50)
  })

  test('does not exist in the sandbox environment', async () => {
    const { client } = await start(folder(), ...fewPaymentsFlags)
    const burstResponses = await Promise.all(
      Array.from({ length: 200 }, () => client.ask('/v1/accounts')),
    )
    expect(new Set(burstResponses.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
