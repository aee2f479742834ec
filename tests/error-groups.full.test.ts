import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFirstErrorDay, readErrorGroups } from '@/lib/features/activity/server/activity'
import { closeStore } from '@/lib/server/store/store'
import {
  fetchRequestLog,
  openRequestLogDesk,
  type RequestLogDesk,
  waitForRequests,
} from './harness/request-log'
import { waitUntil } from './harness/wait-until'

let requestLogDesk: RequestLogDesk
beforeAll(async () => {
  requestLogDesk = await openRequestLogDesk()
  process.env.DATABASE_URL = requestLogDesk.testStack.postgres.url
})
afterAll(async () => {
  await closeStore()
  await requestLogDesk?.testStack.stop()
})

test('equal errors form a group with the number of requests that the person may see', async () => {
  const { testStack, operator, limitedPerson, ownAccount, otherAccount } = requestLogDesk
  const paidPayout = await testStack.sandbox.makePayout({ account_id: ownAccount, status: 'paid' })
  const refusedReply = await operator.decide('hold', paidPayout)
  expect(refusedReply.status).toBe(422)
  await limitedPerson.decide('hold', paidPayout)
  await operator.decide(
    'hold',
    await testStack.sandbox.makePayout({ account_id: otherAccount, status: 'paid' }),
  )
  await waitForRequests(operator, `payouts/${paidPayout.id}`, 2)
  await waitUntil('the third', async () =>
    (await fetchRequestLog(operator, 'operation=payouts.hold')).body.meta.total_items === 3
      ? true
      : null,
  )
  const firstErrorDay = getFirstErrorDay(Date.now())
  const reviewerGrant = { role: 'reviewer' as const, environment: 'sandbox' as const }
  const buildActor = (accountId: string | null) => ({
    id: '',
    name: '',
    email: '',
    sessionHash: '',
    grants: [{ ...reviewerGrant, accountId }],
  })
  const findHoldErrorGroups = async (accountId: string | null, account?: string) =>
    (await readErrorGroups(buildActor(accountId), 'sandbox', firstErrorDay, account)).filter(
      (group) => group.operation === 'payouts.hold',
    )
  const [group, ...more] = await findHoldErrorGroups(null)
  expect(more).toEqual([])
  expect(group).toMatchObject({
    error_code: 'service_refused',
    error_detail: expect.stringContaining('paid'),
    calls: 3,
    people: 2,
  })
  expect(await findHoldErrorGroups(otherAccount)).toMatchObject([{ calls: 1, people: 1 }])
  expect(await findHoldErrorGroups(null, ownAccount)).toMatchObject([{ calls: 2, people: 2 }])
  const errorGroupQuery = new URLSearchParams({
    operation: 'payouts.hold',
    error: 'service_refused',
    detail: group?.error_detail ?? '',
    from: firstErrorDay,
  })
  expect((await fetchRequestLog(operator, errorGroupQuery.toString())).body.meta.total_items).toBe(
    3,
  )
  await testStack.db.query(
    `update request_log set at = at - interval '8 days' where operation = 'payouts.hold'`,
  )
  expect(await findHoldErrorGroups(null)).toEqual([])
})
