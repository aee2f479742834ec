import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBankAccountPath, newRecordPath } from '@/lib/routes'
import type { Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let dashboard: WholeDesk['dashboard']
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ dashboard, operator } = testStack)
})
afterAll(() => testStack?.stop())

test('the URL of a new paykey redirects to the bank connection before a page renders', async () => {
  const searchParams = {
    account: 'acct_018cc251-f400-79ce-a6d0-feac748c7d21',
    customer: '018cc251-f400-79ce-a6d0-feac748c7d22',
  }
  const response = await operator.send(newRecordPath('sandbox', 'paykeys', searchParams))
  const location = new URL(response.headers.get('location') ?? '', dashboard.url)
  expect([response.status, `${location.pathname}${location.search}`]).toEqual([
    307,
    connectBankAccountPath('sandbox', searchParams),
  ])
})
