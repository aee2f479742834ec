import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueueCounts } from '@/lib/pages'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let peopleByRole: Record<'viewer' | 'operator' | 'reviewer' | 'admin', Person>
let limitedPerson: Person
let accountA: string
let accountB: string

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  const { url } = testStack.dashboard
  peopleByRole = {
    viewer: await signIn(url, 'viewer'),
    operator: testStack.operator,
    reviewer: await signIn(url, 'reviewer'),
    admin: await signIn(url, 'admin'),
  }
  ;[accountA = '', accountB = ''] = await listActiveAccounts(testStack.operator)
  await addLimitedPerson(testStack.db, 'of-a@paydesk.test', 'operator', accountA)
  limitedPerson = await signIn(url, 'of-a@paydesk.test')
})
afterAll(() => testStack?.stop())

const fetchQueueCounts = async (person: Person, account?: string) =>
  (
    await person.get<{ waiting: QueueCounts }>(
      `/api/sandbox/desk/queue-counts${account ? `?account=acct_${account}` : ''}`,
    )
  ).body.data?.waiting ?? {}

const fetchTotalCount = async (person: Person, path: string) =>
  (await person.get(path)).body.meta?.total_items

const heldPayoutsPath =
  '/api/sandbox/v1/payments?payment_type=payout&payment_status=on_hold&page_size=1'

describe('the queue counts', () => {
  test('contain only queues that the person may decide', async () => {
    const listQueueNames = async (person: Person) =>
      Object.keys(await fetchQueueCounts(person)).sort()
    expect(await listQueueNames(peopleByRole.viewer)).toEqual([])
    expect(await listQueueNames(peopleByRole.operator)).toEqual([
      'approvals_waiting',
      'charges_held',
      'outcomes_unknown',
      'payouts_held',
    ])
    expect(await listQueueNames(peopleByRole.reviewer)).toEqual([
      'approvals_waiting',
      'customers_review',
      'deletions_requested',
      'outcomes_unknown',
      'paykeys_review',
    ])
    expect(await listQueueNames(peopleByRole.admin)).toEqual([
      'approvals_waiting',
      'charges_held',
      'customers_review',
      'deletions_requested',
      'outcomes_unknown',
      'paykeys_review',
      'payouts_held',
    ])
  })

  test('equal the counts of the lists, for the platform and an account', async () => {
    expect((await fetchQueueCounts(peopleByRole.operator)).payouts_held).toEqual(
      await fetchTotalCount(peopleByRole.operator, heldPayoutsPath),
    )
    const heldPayoutCountOfB = await fetchTotalCount(
      peopleByRole.operator,
      `${heldPayoutsPath}&account=acct_${accountB}`,
    )
    expect((await fetchQueueCounts(peopleByRole.operator, accountB)).payouts_held).toEqual(
      heldPayoutCountOfB,
    )
  })

  test('cover only the own accounts of a limited person', async () => {
    const heldPayoutCountOfA = await fetchTotalCount(
      peopleByRole.operator,
      `${heldPayoutsPath}&account=acct_${accountA}`,
    )
    expect((await fetchQueueCounts(limitedPerson)).payouts_held).toEqual(heldPayoutCountOfA)
    expect(await fetchQueueCounts(limitedPerson, accountB)).toEqual({})
  })

  test('require a session and a valid account', async () => {
    expect((await fetch(`${testStack.dashboard.url}/api/sandbox/desk/queue-counts`)).status).toBe(
      401,
    )
    const refusedReply = await peopleByRole.operator.get(
      '/api/sandbox/desk/queue-counts?account=acct_x',
    )
    expect(refusedReply.status).toBe(422)
    expect(refusedReply.body.error?.items).toEqual([
      { reference: 'account', detail: 'Must be acct_ and a UUID.' },
    ])
  })
})
