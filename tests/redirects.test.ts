import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectPath, newPath } from '@/lib/routes'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'

let sandbox: Sandbox
let dashboard: Dashboard
let operator: Person

beforeAll(async () => {
  sandbox = await startSandbox()
  dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full })
  operator = await signIn(dashboard.url)
})
afterAll(async () => {
  await dashboard?.stop()
  await sandbox?.stop()
})

test('the form of a new paykey is the connection of a bank account, before a page is drawn that somebody could begin to use', async () => {
  const search = { account: 'acct_018cc251-f400-79ce-a6d0-feac748c7d21', customer: '018cc251-f400-79ce-a6d0-feac748c7d22' }
  const answer = await operator.send(newPath('sandbox', 'paykeys', search))
  const location = new URL(answer.headers.get('location') ?? '', dashboard.url)
  expect([answer.status, `${location.pathname}${location.search}`]).toEqual([307, connectPath('sandbox', search)])
})
