import { get } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from '@/tests/harness/dashboard'
import { findFreePort } from '@/tests/harness/free-port'
import { startNginx } from '@/tests/harness/nginx'
import { signIn } from '@/tests/harness/person'
import { type Postgres, startPostgres } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'
import { waitUntil } from '@/tests/harness/wait-until'

let sandbox: Sandbox
let postgres: Postgres
let instances: Dashboard[]
let nginx: Awaited<ReturnType<typeof startNginx>>

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  const port = await findFreePort()
  const instanceOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
    env: { APP_ORIGIN: `http://127.0.0.1:${port}`, TRUSTED_PROXIES: '1', DRAIN_SECONDS: '4' },
  }
  instances = [await startDashboard(instanceOptions), await startDashboard(instanceOptions)]
  nginx = await startNginx({ port, ports: instances.map(({ url }) => Number(new URL(url).port)) })
})
afterAll(async () => {
  await nginx?.stop()
  for (const instance of instances ?? []) await instance.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

/** Number of responses for each HTTP status. The status 0 counts requests that got no response. */
type StatusCounts = Record<number, number>

/** Repeats a request until `isOver` returns true. Counts the responses in `counts`. */
async function repeatRequestAndCount(
  counts: StatusCounts,
  isOver: () => boolean,
  request: () => Promise<number>,
): Promise<void> {
  while (!isOver()) {
    const responseStatus = await request().catch(() => 0)
    counts[responseStatus] = (counts[responseStatus] ?? 0) + 1
  }
}

const pathsToRead = [
  '/sandbox/payouts',
  '/api/sandbox/v1/payments',
  '/api/sandbox/desk/approvals',
  '/api/health',
]

async function restartInstancesInTurn(): Promise<void> {
  for (const instance of instances) {
    const exitCodePromise = instance.end()
    await waitUntil('an unready instance', () =>
      fetch(`${instance.url}/api/health/ready`).then(({ status }) => status === 503 || null),
    )
    expect(await exitCodePromise).toBe(0)
    await instance.restart()
  }
}

test('no request fails while both instances restart behind the supplied nginx, and each write has one effect', async () => {
  const person = await signIn(nginx.url, 'admin')
  const statusCountsOfReads: StatusCounts = {}
  const statusCountsOfWrites: StatusCounts = {}
  const cancelledPayoutIds: string[] = []
  let areRestartsDone = false
  const fetchResponseStatus = async (path: string) => {
    const readResponse = await person.send(path)
    await readResponse.arrayBuffer()
    return readResponse.status
  }
  const cancelPayout = async () => {
    const payout = await sandbox.makePayout()
    cancelledPayoutIds.push(payout.id)
    return (await person.decide('cancel', payout)).status
  }
  const requestLoops = [
    ...pathsToRead.map((path) =>
      repeatRequestAndCount(
        statusCountsOfReads,
        () => areRestartsDone,
        () => fetchResponseStatus(path),
      ),
    ),
    ...[1, 2].map(() =>
      repeatRequestAndCount(statusCountsOfWrites, () => areRestartsDone, cancelPayout),
    ),
  ]
  await restartInstancesInTurn().finally(() => {
    areRestartsDone = true
  })
  await Promise.all(requestLoops)
  console.info(
    `reads by status: ${JSON.stringify(statusCountsOfReads)}; writes by status: ${JSON.stringify(statusCountsOfWrites)}`,
  )
  expect(
    [Object.keys(statusCountsOfReads), Object.keys(statusCountsOfWrites)],
    nginx.errors(),
  ).toEqual([['200'], ['200']])
  for (const id of cancelledPayoutIds) expect(await sandbox.journal(id)).toHaveLength(1)
})

test('nginx speaks HTTP over TLS with the supplied configuration', async () => {
  const healthStatus = await new Promise<number | undefined>((resolve, reject) =>
    get(`${nginx.secureUrl}/api/health/live`, { ca: nginx.ca }, (response) =>
      resolve(response.resume().statusCode),
    ).once('error', reject),
  )
  expect(healthStatus).toBe(200)
})
