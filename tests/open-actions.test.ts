import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { configureEnvForSandbox } from './harness/mirror'
import { createIdempotencyKey } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { createUnknownOutcomeAction } from './harness/unknown-actions'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
beforeAll(async () => {
  testStack = await openSharedDesk()
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

test('open actions are listed oldest first, to people who may see them', async () => {
  const { sandbox, db, operator } = testStack
  configureEnvForSandbox(sandbox)
  process.env.DATABASE_URL = testStack.postgres.url
  const { closeStore } = await import('@/lib/server/store/store')
  const { listOpenActions: openActions } = await import('@/lib/features/activity/server/operations')
  const viewerGrant = { role: 'viewer' as const, environment: 'sandbox' as const }
  const buildActor = (accountId: string | null) => ({
    id: '',
    name: '',
    email: '',
    sessionHash: '',
    grants: [{ ...viewerGrant, accountId }],
  })
  const sendRelease = (payout: MadePayout) => operator.decide('release', payout)
  // Creates two actions, so that the list has an order.
  await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  const unknownOutcomeAction = await createUnknownOutcomeAction(
    testStack,
    sendRelease,
    'payouts.release',
  )
  const otherPayout = await sandbox.makePayout()
  // Adds a copy of the action for another payout, in the state of an action that another Paydesk
  // instance is sending.
  await db.query(
    `insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'target', $2::text, 'idempotency_key', $3::text,
      'state', 'sending', 'created_at', now(), 'lease_owner', 'another instance', 'lease_until', now() + interval '1 hour', 'error', null))).*
      from actions a where id = $1`,
    [unknownOutcomeAction.id, `payouts/${otherPayout.id}`, createIdempotencyKey()],
  )
  try {
    const listedActions = await openActions('sandbox', buildActor(null))
    const creationTimes = listedActions.map((action) => action.created_at)
    expect(creationTimes).toEqual([...creationTimes].sort())
    expect(listedActions.map((action) => action.id)).toContain(unknownOutcomeAction.id)
    expect(listedActions.map((action) => action.state)).not.toContain('sending')
    await db.query(
      `update actions set created_at = now() - interval '2 minutes' where state = 'sending'`,
    )
    expect(
      (await openActions('sandbox', buildActor(null))).map((action) => action.target),
    ).toContain(`payouts/${otherPayout.id}`)
    expect(await openActions('production', buildActor(null))).toEqual([])
    const accountActions = await openActions(
      'sandbox',
      buildActor(unknownOutcomeAction.payout.account.replace('acct_', '')),
    )
    expect(accountActions.map((action) => action.id)).toContain(unknownOutcomeAction.id)
    expect(
      await openActions('sandbox', buildActor('018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f')),
    ).toEqual([])
  } finally {
    await db.query(`delete from actions where target = $1`, [`payouts/${otherPayout.id}`])
    await closeStore()
  }
})
