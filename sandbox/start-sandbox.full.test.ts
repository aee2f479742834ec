import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestProcesses, type StartedProcess } from '@/tests/sandbox/own-processes'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'

const { folder, start } = createTestProcesses()
const fewPaymentsFlags = ['--payments', '50']

describe('--tls', () => {
  /** Returns the raw response to an HTTP request without TLS. */
  const requestPlainHttp = (url: URL) =>
    new Promise<string>((resolve) => {
      let responseText = ''
      const socket = connect(Number(url.port), url.hostname, () =>
        socket.write(`GET /v1/accounts HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`),
      )
      socket.on('data', (chunk) => (responseText += chunk.toString('latin1')))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(responseText))
    })

  test('serves HTTPS to clients that trust its certificate, and no plain HTTP', async () => {
    const { process, client } = await start(folder(), ...fewPaymentsFlags, '--tls')
    expect(process.url).toMatch(/^https:/)
    expect((await client.ask('/v1/accounts')).status).toBe(200)
    await expect(fetch(`${process.url}/v1/accounts`)).rejects.toThrow()
    expect(await requestPlainHttp(new URL(process.url))).not.toContain('HTTP/')
    expect((await client.ask('/v1/accounts')).status).toBe(200)
    expect(statSync(join(process.folder, 'tls-key.pem')).mode & 0o777).toBe(0o600)
  })

  test('keeps its certificate across a restart and uses it for both environments', async () => {
    const dataFolder = folder()
    const readCertificateTime = () => statSync(join(dataFolder, 'tls-cert.pem')).mtimeMs
    const firstSandbox = await start(dataFolder, ...fewPaymentsFlags, '--tls')
    const certificateTimeBefore = readCertificateTime()
    await firstSandbox.process.stop()
    const { production } = (
      await start(dataFolder, ...fewPaymentsFlags, '--tls', '--environment', 'both')
    ).process
    expect(readCertificateTime()).toBe(certificateTimeBefore)
    expect(production?.url).toMatch(/^https:/)
    if (production)
      expect((await new SandboxClient(production).ask('/v1/accounts')).status).toBe(200)
  })
})

type ClockState = { now: string; offset_ms: number; speed: number }

test('--now starts a new platform at that time, and a later start continues from there', async () => {
  const sandboxDataFolder = folder()
  const originalSandbox = await start(
    sandboxDataFolder,
    ...fewPaymentsFlags,
    '--now',
    '2031-05-06T15:00:00Z',
  )
  const clockAtStart = await originalSandbox.client.control<ClockState>('clock')
  expect(clockAtStart.now).toMatch(/^2031-05-06T15:0/)
  const { data: payments } = (
    await originalSandbox.client.ask('/v1/payments?sort_by=created_at&sort_order=desc&page_size=1')
  ).json
  expect(payments).toMatchObject([{ created_at: expect.stringMatching(/^2031-05-/) }])
  await originalSandbox.process.stop()
  const restartedSandbox = await start(
    sandboxDataFolder,
    ...fewPaymentsFlags,
    '--now',
    '2020-01-01T00:00:00Z',
  )
  expect(
    Date.parse((await restartedSandbox.client.control<ClockState>('clock')).now),
  ).toBeGreaterThan(Date.parse(clockAtStart.now))
})

describe('--speed', () => {
  const hourMs = 3_600_000
  const readClockOffset = async ({ client }: StartedProcess) =>
    (await client.control<ClockState>('clock')).offset_ms
  const waitForClockOffset = (started: StartedProcess, minimumOffsetMs: number) =>
    expect
      .poll(() => readClockOffset(started), { timeout: 20_000 })
      .toBeGreaterThan(minimumOffsetMs)

  test('accelerates the clock, and the next start continues from its time', async () => {
    const testDataFolder = folder()
    const fastSandbox = await start(testDataFolder, ...fewPaymentsFlags, '--speed', '100000')
    expect(await fastSandbox.client.control('clock')).toMatchObject({ speed: 100_000 })
    await waitForClockOffset(fastSandbox, 5 * hourMs)
    const reachedOffset = await readClockOffset(fastSandbox)
    await fastSandbox.process.stop()
    const sandboxAfterRestart = await start(testDataFolder, ...fewPaymentsFlags)
    const offsetAfterRestart = await readClockOffset(sandboxAfterRestart)
    expect(offsetAfterRestart).toBeGreaterThanOrEqual(reachedOffset)
    // The second start runs at normal speed, so the offset no longer changes.
    expect(await readClockOffset(sandboxAfterRestart)).toBe(offsetAfterRestart)
  })

  test('a kill loses only a small part of the time', async () => {
    const data = folder()
    const acceleratedSandbox = await start(data, ...fewPaymentsFlags, '--speed', '100000')
    // The offset is stored once a second. At this speed, 28 hours pass in a second.
    await waitForClockOffset(acceleratedSandbox, 80 * hourMs)
    await acceleratedSandbox.process.stop('SIGKILL')
    expect(await readClockOffset(await start(data, ...fewPaymentsFlags))).toBeGreaterThan(
      20 * hourMs,
    )
  })
})
