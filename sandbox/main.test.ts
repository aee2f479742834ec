import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { runSandbox, startProcess } from '@/tests/sandbox/start-process'

const { folder, start } = createTestProcesses()

describe('the start is refused in one line with', () => {
  // One flag is enough here, because read-flags.test.ts covers every flag.
  test('an unknown flag', async () => {
    const { code, out, error } = await runSandbox('--prot', '4010')
    expect([code, out]).toEqual([2, ''])
    expect(error.trim().split('\n')).toEqual([expect.stringContaining('--prot')])
  })

  test('a data folder in use', async () => {
    const dataFolder = folder()
    await start(dataFolder, '--payments', '100')
    const { code, error } = await runSandbox('--port', '0', '--data', dataFolder)
    expect([code, error.trim()]).toEqual([1, expect.stringContaining('in use by another sandbox')])
  })

  test('the data of another integration, which stays unchanged', async () => {
    const dataFolder = folder()
    const first = await start(dataFolder, '--payments', '100', '--integration', 'marketplace')
    const payout = await first.client.payout()
    await first.process.stop()
    const { code, out, error } = await runSandbox('--port', '0', '--data', dataFolder)
    expect([code, out, error.trim()]).toEqual([
      1,
      '',
      `the sandbox cannot start: the folder ${dataFolder} has data of --integration marketplace; start with that, or choose another folder with --data`,
    ])
    const second = await start(dataFolder, '--integration', 'marketplace')
    expect((await second.client.ask(`/v1/payouts/${payout.id}`)).status).toBe(200)
  })
})

test('without --control there is no control plane', async () => {
  const process = await startProcess(folder(), '--payments', '50')
  const response = await fetch(`${process.url}/sandbox/clock`)
  const responseStatusAndText = [response.status, await response.text()]
  await process.stop()
  expect(responseStatusAndText).toEqual([404, expect.stringMatching(/^<!doctype html>/)])
})

test('a stop finishes the pending request and exits with 0, and a restart has the same data', async () => {
  const sandboxFolder = folder()
  const { process, client } = await start(sandboxFolder, '--payments', '100')
  const payout = await client.payout()
  await client.control('clock', { advance_seconds: 3600 })
  await client.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 400,
    at: 'mid',
  })
  const pendingRelease = client.put(`/v1/payouts/${payout.id}/release`, {})
  await expect.poll(async () => (await client.control('requests')).data.length).toBe(1)
  expect(await process.stop()).toBe(0)
  expect((await pendingRelease).status).toBe(200)
  const restartedSandbox = await start(sandboxFolder, '--payments', '100')
  expect(restartedSandbox.process.keys).toEqual(process.keys)
  expect(await restartedSandbox.client.effects(payout.id)).toHaveLength(1)
  expect(await restartedSandbox.client.control('clock')).toMatchObject({ offset_ms: 3_600_000 })
  expect(restartedSandbox.process.lines).toEqual([`sandbox ready ${restartedSandbox.process.url}`])
})

/**
 * Releases payouts one after another until the connection breaks. Adds the response text of each
 * successful release to `acknowledged`.
 */
async function releaseUntilKilled(
  client: SandboxClient,
  payoutIds: string[],
  acknowledged: Map<string, string>,
): Promise<void> {
  for (const target of payoutIds) {
    const releaseKey = `kill_${target}`.slice(0, 40)
    const acknowledgedResponse = await client
      .put(`/v1/payouts/${target}/release`, { reason: 'go' }, { 'idempotency-key': releaseKey })
      .catch(() => undefined)
    if (!acknowledgedResponse) return
    if (acknowledgedResponse.status === 200) acknowledged.set(target, acknowledgedResponse.text)
  }
}

test('after a kill during writes, acknowledged writes exist and every key has one effect', async () => {
  const sandboxDataFolder = folder()
  const { process, client } = await start(sandboxDataFolder, '--payments', '100')
  const payoutIds = (await Promise.all(Array.from({ length: 150 }, () => client.payout()))).map(
    ({ id }) => id,
  )
  const acknowledgedTextById = new Map<string, string>()
  const pendingReleases = [0, 1, 2, 3].map((turn) =>
    releaseUntilKilled(
      client,
      payoutIds.filter((_, index) => index % 4 === turn),
      acknowledgedTextById,
    ),
  )
  await expect
    .poll(() => acknowledgedTextById.size, { interval: 1, timeout: 20_000 })
    .toBeGreaterThan(40)
  await process.stop('SIGKILL')
  await Promise.all(pendingReleases)
  expect(acknowledgedTextById.size).toBeLessThan(payoutIds.length)
  const sandboxAfterRestart = await start(sandboxDataFolder, '--payments', '100')
  for (const target of payoutIds) {
    const idempotencyKey = `kill_${target}`.slice(0, 40)
    const repeatedResponse = await sandboxAfterRestart.client.put(
      `/v1/payouts/${target}/release`,
      { reason: 'go' },
      { 'idempotency-key': idempotencyKey },
    )
    const acknowledgedText = acknowledgedTextById.get(target)
    if (acknowledgedText !== undefined)
      expect([repeatedResponse.headers.get('idempotent-replayed'), repeatedResponse.text]).toEqual([
        'true',
        acknowledgedText,
      ])
    expect(repeatedResponse.status).toBe(200)
  }
  const { data: rows } = await sandboxAfterRestart.client.control('journal')
  expect(rows.map((row) => row.target_id).toSorted()).toEqual(payoutIds.toSorted())
})

test('after a kill between claim and effect, the key is free again', async () => {
  const data = folder()
  const { process, client } = await start(data, '--payments', '100')
  const payout = await client.payout()
  const headers = { 'idempotency-key': `rel_${randomUUID().replaceAll('-', '')}` }
  await client.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 60_000,
    at: 'mid',
  })
  const rejectedRelease = expect(
    client.put(`/v1/payouts/${payout.id}/release`, {}, headers),
  ).rejects.toThrow()
  await expect.poll(async () => (await client.control('requests')).data.length).toBe(1)
  await process.stop('SIGKILL')
  await rejectedRelease
  const sandboxAfterLostResponse = await start(data, '--payments', '100')
  expect(await sandboxAfterLostResponse.client.effects(payout.id)).toEqual([])
  const retriedResponse = await sandboxAfterLostResponse.client.put(
    `/v1/payouts/${payout.id}/release`,
    {},
    headers,
  )
  expect([retriedResponse.status, retriedResponse.headers.get('idempotent-replayed')]).toEqual([
    200,
    null,
  ])
  expect(await sandboxAfterLostResponse.client.effects(payout.id)).toHaveLength(1)
})
