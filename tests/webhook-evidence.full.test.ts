import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import {
  buildWebhookEvent,
  buildWebhookPayout,
  createWebhookSecret,
  deliverWebhook,
} from './harness/webhook'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
beforeAll(async () => {
  testStack = await openSharedDesk()
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

const buildReleaseFault = ({ id }: MadePayout) => ({ operation: 'payouts.release', match: id })

const readAction = async (id: string) => {
  const { action } = (await testStack.operator.action(id)).body
  if (!action) throw new Error(`there is no action ${id}`)
  return action
}

/**
 * Sends a release that the sandbox applies. The response is lost, and repeated requests get errors,
 * so Paydesk does not know the outcome. Postpones Paydesk’s next check by an hour, so that only a
 * webhook can trigger one. Returns the action.
 */
async function createUnknownOutcomeRelease(payout: MadePayout) {
  await testStack.sandbox.fault({ ...buildReleaseFault(payout), kind: 'reset', at: 'after' })
  await testStack.sandbox.fault({
    ...buildReleaseFault(payout),
    kind: 'status',
    status: 500,
    body: 'none',
    count: 50,
  })
  const { body } = await testStack.operator.decide('release', payout)
  const actionId = body.action?.id ?? ''
  await waitUntil('the action to be left alone', async () => {
    const { rows } = await testStack.db.query(
      "update actions set next_check_at = now() + interval '1 hour' where id = $1 and state = 'unknown' returning id",
      [actionId],
    )
    return rows.length > 0 ? true : null
  })
  return readAction(actionId)
}

/** Sends a webhook event with the new status of a payout. Returns the event's id. */
async function deliverPayoutStatus(
  { id, account }: MadePayout,
  status: string,
  secret = testStack.webhookSecret,
): Promise<string> {
  const webhookId = `msg_${randomUUID()}`
  const body = buildWebhookEvent(
    'payout.event.v1',
    buildWebhookPayout({ id, status }),
    account.replace('acct_', ''),
  )
  await deliverWebhook({ desk: testStack.dashboard.url, secret, id: webhookId, body })
  return webhookId
}

const waitUntilEventMatched = (deliveredWebhookId: string) =>
  waitUntil('the webhook to be matched', async () => {
    const { rows } = await testStack.db.query(
      "select 1 from webhook_events where id = $1 and state = 'matched'",
      [deliveredWebhookId],
    )
    return rows.length > 0 ? true : null
  })

test('a verified webhook about the object triggers a check of an unknown action under the same key', async () => {
  const payout = await testStack.sandbox.makePayout()
  const { id } = await createUnknownOutcomeRelease(payout)
  await testStack.sandbox.clearFaults()
  await deliverPayoutStatus(payout, 'created')
  const settledAction = await waitUntil('the action to be settled', async () => {
    const action = await readAction(id)
    return ['unknown', 'sending'].includes(action.state) ? null : action
  })
  expect(settledAction).toMatchObject({ state: 'applied', replayed: true, evidence: [] })
  expect(await testStack.sandbox.journal(payout.id)).toHaveLength(1)
})

test('a webhook alone settles nothing, and is shown with the action', async () => {
  const payout = await testStack.sandbox.makePayout()
  const { id, attempts } = await createUnknownOutcomeRelease(payout)
  await deliverPayoutStatus(payout, 'forged', createWebhookSecret())
  const deliveredWebhookId = await deliverPayoutStatus(payout, 'created')
  const checkedAction = await waitUntil('another attempt', async () => {
    const action = await readAction(id)
    return action.attempts.length > attempts.length && action.state === 'unknown' ? action : null
  })
  expect(checkedAction.evidence).toEqual([
    {
      webhook_id: deliveredWebhookId,
      event_type: 'payout.event.v1',
      status: 'created',
      received_at: expect.any(String),
    },
  ])
})

test('an action that waits for a person is not checked, and shows later webhooks', async () => {
  const [payout, otherPayout] = [
    await testStack.sandbox.makePayout(),
    await testStack.sandbox.makePayout(),
  ]
  await waitUntilEventMatched(await deliverPayoutStatus(payout, 'on_hold'))
  const { id, attempts } = await createUnknownOutcomeRelease(payout)
  await testStack.db.query(
    "update actions set state = 'needs_human', next_check_at = null, body = null where id = $1",
    [id],
  )
  await waitUntilEventMatched(await deliverPayoutStatus(otherPayout, 'created'))
  const createdStatusWebhookId = await deliverPayoutStatus(payout, 'created')
  await waitUntilEventMatched(createdStatusWebhookId)
  const action = await readAction(id)
  expect(action).toMatchObject({
    state: 'needs_human',
    attempts,
    evidence: [{ webhook_id: createdStatusWebhookId }],
  })
  const openActionsReply = await testStack.operator.get(
    `/api/sandbox/desk/actions?target=payouts/${payout.id}`,
  )
  expect(openActionsReply.body.data).toEqual([
    expect.objectContaining({ id, evidence: action.evidence }),
  ])
})
