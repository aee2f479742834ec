import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOwnProcesses } from '@/tests/sandbox/own-processes'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { runSandbox, type SandboxEnvironment } from '@/tests/sandbox/start-process'
import { operations } from './operations'

const { folder, start } = createOwnProcesses()
const fewPayments = ['--payments', '50']

const requirePresent = (world: SandboxEnvironment | undefined): SandboxEnvironment => {
  if (!world) throw new Error('production was not asked for')
  return world
}
const ids = async (client: SandboxClient) =>
  ((await client.ask('/v1/payments?page_size=1000')).json.data as { id: string }[]).map(({ id }) => id)

describe('two environments', () => {
  test('in one process share no keys, objects or effects', async () => {
    const { process, client: sandboxClient } = await start(folder(), ...fewPayments, '--environment', 'both')
    const productionProcess = requirePresent(process.production)
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
      expect((await client.ask('/v1/payments', { key })).json.error).toMatchObject({ code: 'invalid_api_key' })
    }
    const [own, foreign] = [await ids(sandboxClient), await ids(productionClient)]
    expect([own.length, foreign.length]).toEqual([50, 50])
    expect(own.filter((id) => foreign.includes(id))).toEqual([])
    const payout = await productionClient.payout()
    expect((await productionClient.put(`/v1/payouts/${payout.id}/release`, {})).status).toBe(200)
    expect((await sandboxClient.ask(`/v1/payouts/${payout.id}`)).status).toBe(404)
    expect([(await productionClient.effects(payout.id)).length, (await sandboxClient.effects(payout.id)).length]).toEqual([1, 0])
    expect(await process.stop()).toBe(0)
  })

  test('production alone has the same data as together with the sandbox', async () => {
    const { process: both } = await start(folder(), ...fewPayments, '--environment', 'both')
    const idsBefore = await ids(new SandboxClient(requirePresent(both.production)))
    await both.stop()
    const productionOnly = await start(both.folder, ...fewPayments, '--environment', 'production')
    expect(productionOnly.process.lines).toEqual([`production ready ${productionOnly.process.url}`])
    expect(await ids(productionOnly.client)).toEqual(idsBefore)
  })

  test('a taken production port is reported with its own flag', async () => {
    const processOnPort = await start(folder(), ...fewPayments)
    const port = new URL(processOnPort.process.url).port
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
    expect([code, error.trim()]).toEqual([1, `port ${port} is taken; choose another with --production-port`])
  })

  test('production rejects every simulation, whatever the body', async () => {
    const simulations = operations.filter(({ only }) => only === 'sandbox')
    expect(simulations.length).toBeGreaterThan(0)
    const { client } = await start(folder(), ...fewPayments, '--environment', 'production')
    for (const { method, path } of simulations) {
      const answer = await client.ask(path.replace(/:\w+/g, randomUUID()), { method, body: '{' })
      expect([path, answer.json.error]).toEqual([path, expect.objectContaining({ status: 403, type: '/forbidden' })])
    }
  })
})

describe('the rate limit of production', () => {
  /**
   * Repeats a request until the response is a 429 and returns the number of requests. It ends soon, because a second allows far more
   * requests than the limit.
   */
  const countUntilLimited = async (ask: () => Promise<{ status: number }>) => {
    for (let count = 1; ; count++) if ((await ask()).status === 429) return count
  }

  test('is shared by all keys and accounts of the platform', async () => {
    const { process, client } = await start(folder(), ...fewPayments, '--environment', 'production', '--rate-limit', '3')
    const accounts = (await client.ask('/v1/accounts')).json.data as { id: string }[]
    let turn = 0
    await countUntilLimited(() => {
      turn += 1
      const key = turn % 2 ? process.keys.full : process.keys.read_only
      const headers = { 'service-account-id': `acct_${accounts[turn % accounts.length]?.id}` }
      return client.ask('/v1/payments?page_size=1', { key, headers })
    })
    expect(turn).toBeGreaterThan(1)
  })

  test('is 50 by default, is restored by a reset, and does not use the key of a refused write', async () => {
    const { client } = await start(folder(), ...fewPayments, '--environment', 'production')
    const payout = await client.payout()
    expect(await countUntilLimited(() => client.ask('/v1/account_settings/x'))).toBeGreaterThan(50)
    await client.control('rate-limit', { per_second: 0 })
    const headers = { 'idempotency-key': 'kept-for-later' }
    const refusedResponse = await client.put(`/v1/payouts/${payout.id}/release`, {}, headers)
    expect(refusedResponse.json.error).toMatchObject({ status: 429, type: '/too_many_requests' })
    await client.control('rate-limit', { per_second: null })
    const releaseResponse = await client.put(`/v1/payouts/${payout.id}/release`, { reason: 'now' }, headers)
    expect([releaseResponse.status, releaseResponse.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(await client.effects(payout.id)).toHaveLength(1)
    await client.control('reset', {})
    expect(await countUntilLimited(() => client.ask('/v1/account_settings/x'))).toBeGreaterThan(50)
  })

  test('does not exist in the sandbox environment', async () => {
    const { client } = await start(folder(), ...fewPayments)
    const burstResponses = await Promise.all(Array.from({ length: 200 }, () => client.ask('/v1/accounts')))
    expect(new Set(burstResponses.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
