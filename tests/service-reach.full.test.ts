import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoopbackCertificate } from '@/tests/sandbox/loopback-certificate'
import { startDashboard } from './harness/dashboard'
import { waitUntil } from './harness/wait-until'

let certificateFolder: string
let stubService: Server
let requestCount = 0

beforeAll(async () => {
  certificateFolder = mkdtempSync(join(tmpdir(), 'paydesk-authority-'))
  const certificate = await createLoopbackCertificate(certificateFolder)
  writeFileSync(join(certificateFolder, 'authority.crt'), certificate.cert)
  stubService = createServer(certificate, (_request, response) => {
    requestCount += 1
    response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => stubService.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  stubService?.closeAllConnections()
  stubService?.close()
  rmSync(certificateFolder, { recursive: true, force: true })
})

/**
 * Starts a dashboard that syncs its mirror, the local copy of the service’s objects. The sync sends
 * requests to the service although no person is signed in.
 */
const startSyncingDashboard = (serviceUrl: string, env: Record<string, string> = {}) =>
  startDashboard({
    serviceUrl,
    apiKey: 'key-of-this-test-0123456789',
    embedded: false,
    env: { MIRROR_SYNC: 'on', TEST_TIMES: '', ...env },
  })

const listUnreachableReasons = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"service.not_reached"'))
    .map((line) => (JSON.parse(line) as { code: string }).code)

const getServiceUrl = () => `https://127.0.0.1:${(stubService.address() as AddressInfo).port}`

test.each([
  ['a certificate of an unknown authority', getServiceUrl, 'certificate_not_trusted'],
  ['a name that does not resolve', () => 'https://service.invalid', 'name_not_found'],
])(
  'the log contains the reason why the service is unreachable: %s',
  async (_what, urlOf, reason) => {
    const syncingDashboard = await startSyncingDashboard(urlOf())
    try {
      await waitUntil(
        'the reason in the log',
        () => listUnreachableReasons(syncingDashboard.log())[0] ?? null,
      )
      expect(new Set(listUnreachableReasons(syncingDashboard.log()))).toEqual(new Set([reason]))
    } finally {
      await syncingDashboard.stop()
    }
  },
)

test('NODE_EXTRA_CA_CERTS adds a trusted authority', async () => {
  const requestCountBefore = requestCount
  const dashboardWithAuthority = await startSyncingDashboard(getServiceUrl(), {
    NODE_EXTRA_CA_CERTS: join(certificateFolder, 'authority.crt'),
  })
  try {
    await waitUntil('a request at the service', () =>
      requestCount > requestCountBefore ? true : null,
    )
    expect(listUnreachableReasons(dashboardWithAuthority.log())).toEqual([])
  } finally {
    await dashboardWithAuthority.stop()
  }
})
