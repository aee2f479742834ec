import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdempotencyKey, goodReason, listWarningNames, type Person } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let operator: Person
/** The account's limit for a single payout, in cents. */
let maxPayoutCents: number
/** The account's limit for the payouts of a day, in cents. */
let dailyLimitCents: number

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db, operator } = testStack)
  const { account } = await sandbox.makePayout()
  const { body } = await operator.get<{
    settings: { payouts: { max_amount: number; daily_amount: number } }
  }>(`/api/sandbox/v1/accounts/${account.slice(5)}`)
  maxPayoutCents = body.data?.settings.payouts.max_amount ?? 0
  dailyLimitCents = body.data?.settings.payouts.daily_amount ?? 0
})
afterAll(() => testStack?.stop())

const sendRelease = (payout: MadePayout, warnings: string, key = createIdempotencyKey()) =>
  operator.decide('release', payout, key, goodReason, { 'action-warnings': warnings })
const readActionWarnings = async (payout: MadePayout) =>
  (
    await db.query<{ warnings: unknown }>('select warnings from actions where target = $1', [
      `payouts/${payout.id}`,
    ])
  ).rows

/**
 * Checks that the release was refused with exactly these warnings, that Paydesk stored no action,
 * and that the service changed nothing.
 */
async function expectWarnings(
  payout: MadePayout,
  reply: Awaited<ReturnType<typeof sendRelease>>,
  warningNames: string[],
) {
  expect(reply).toMatchObject({ status: 422, body: { error: { code: 'invalid_input' } } })
  expect(listWarningNames(reply)).toEqual(warningNames.map((name) => `warnings.${name}`))
  expect([await readActionWarnings(payout), await sandbox.journal(payout.id)]).toEqual([[], []])
}

describe('a release', () => {
  test('without proof is refused until the warning is ticked, and stores the tick', async () => {
    const payout = await sandbox.makePayout()
    const warningReply = await sendRelease(payout, '')
    await expectWarnings(payout, warningReply, ['documents_warn'])
    expect(warningReply.body.error?.items?.[0]?.detail).toContain('No proof is on file.')

    const idempotencyKey = createIdempotencyKey()
    const confirmedWarnings = [{ code: 'documents_warn', sentence: 'No proof is on file.' }]
    const releaseReply = await sendRelease(payout, 'documents_warn', idempotencyKey)
    expect(releaseReply).toMatchObject({
      status: 200,
      body: { action: { state: 'applied', warnings: confirmedWarnings } },
    })
    expect(await readActionWarnings(payout)).toEqual([{ warnings: confirmedWarnings }])
    const { rows } = await db.query<{ body: string }>(
      `select body from audit where body::json ->> 'action' = $1 order by seq`,
      [releaseReply.body.action?.id],
    )
    expect(rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)).toMatchObject([
      { code: 'payouts.release.start', warnings: ['documents_warn'] },
      { code: 'payouts.release.applied', warnings: ['documents_warn'] },
    ])
    // A repeated request with the same key returns the stored result, even if it acknowledges other
    // warnings.
    expect(await sendRelease(payout, '', idempotencyKey)).toMatchObject({
      status: 200,
      replayed: true,
      body: { action: { warnings: confirmedWarnings } },
    })
  })

  test('over the single-payment limit names the excess, and a tick for another amount does not count', async () => {
    const payout = await sandbox.makePayout({ amount: maxPayoutCents + 8700 })
    await expectWarnings(payout, await sendRelease(payout, 'documents_warn'), [
      'limit_single_warn:8700',
    ])
    await expectWarnings(
      payout,
      await sendRelease(payout, 'documents_warn,limit_single_warn:8600'),
      ['limit_single_warn:8700'],
    )
    const confirmedReleaseReply = await sendRelease(payout, 'limit_single_warn:8700,documents_warn')
    expect(confirmedReleaseReply.body.action?.warnings.map(({ sentence }) => sentence)).toEqual([
      'The payment is over the single-payment limit by $87.00.',
      'No proof is on file.',
    ])
  })

  test('over the daily limit since the page was read yields a warning', async () => {
    const payout = await sandbox.makePayout({ amount: 1000 })
    const payoutCount = Math.ceil(dailyLimitCents / maxPayoutCents)
    for (let n = 0; n < payoutCount; n += 1)
      await sandbox.makePayout({ amount: maxPayoutCents, status: 'scheduled' })
    const warningReply = await sendRelease(payout, 'documents_warn')
    expect(listWarningNames(warningReply)).toContainEqual(
      expect.stringMatching(/^warnings\.limit_day_warn:\d+$/),
    )
    expect([await readActionWarnings(payout), await sandbox.journal(payout.id)]).toEqual([[], []])
    const acknowledgedReleaseReply = await sendRelease(
      payout,
      [
        'documents_warn',
        ...listWarningNames(warningReply).map((name) => name.replace('warnings.', '')),
      ].join(','),
    )
    expect(
      acknowledgedReleaseReply.body.action?.warnings.map(({ sentence }) => sentence),
    ).toContainEqual(expect.stringMatching(/^The payment is over the daily limit by /))
  })

  test('beside another payment of the same amount to the same bank account yields a warning', async () => {
    const payout = await sandbox.makePayout({ amount: 7321, payment_date: '2027-03-01' })
    const { body } = await operator.get<{ paykey_details: { id: string } }>(
      `/api/sandbox/v1/payouts/${payout.id}`,
    )
    await sandbox.makePayout({
      amount: 7321,
      paykey_id: body.data?.paykey_details.id,
      payment_date: '2027-03-01',
    })
    await expectWarnings(payout, await sendRelease(payout, 'documents_warn'), ['duplicates_warn:1'])
  })

  test('with unreadable sums requires ticks for the unknown checks', async () => {
    const payout = await sandbox.makePayout({ payment_date: '2027-04-01' })
    await sandbox.fault({
      operation: 'payments.search',
      match: payout.account.slice(5),
      kind: 'status',
      status: 500,
      count: null,
    })
    const warningReply = await sendRelease(payout, 'documents_warn')
    await sandbox.clearFaults()
    await expectWarnings(payout, warningReply, [
      'limit_day_unknown',
      'limit_month_unknown',
      'duplicates_unknown',
    ])
  })

  test('of a payment with an unknown status requires the same ticks as one on hold', async () => {
    const payout = await sandbox.makePayout({ payment_date: '2027-05-01' })
    const payoutResponse = await fetch(`${sandbox.url}/v1/payouts/${payout.id}`, {
      headers: { authorization: `Bearer ${sandbox.keys.full}` },
    })
    const envelope = (await payoutResponse.json()) as { data: object }
    const unknownStatusPayoutJson = JSON.stringify({
      ...envelope,
      data: { ...envelope.data, status: 'quarantined' },
    })
    await sandbox.fault({
      operation: 'payouts.get',
      match: payout.id,
      kind: 'body',
      body: unknownStatusPayoutJson,
      count: null,
    })
    await expectWarnings(payout, await sendRelease(payout, ''), ['documents_warn'])
    await sandbox.clearFaults()
  })

  test('of a payment that cannot be released is refused by the service', async () => {
    const payout = await sandbox.makePayout({ status: 'paid' })
    expect(await sendRelease(payout, '')).toMatchObject({
      status: 422,
      body: { error: { code: 'service_refused' } },
    })
  })

  test.each([
    'made_up',
    'constructor',
    'documents_warn:ada@example.com',
    'limit_single_warn:many',
    'documents_warn,<script>alert(1)</script>',
    `documents_warn,${Array.from({ length: 30 }, (_, at) => `limit_day_warn:${at}`).join(',')}`,
    'documents_warn,'.repeat(500),
  ])(
    'with the warnings %s is rejected, and they are neither returned nor stored',
    async (warnings) => {
      const payout = await sandbox.makePayout()
      const reply = await sendRelease(payout, warnings)
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { code: 'invalid_input', items: [{ reference: 'warnings' }] } },
      })
      expect(JSON.stringify(reply.body)).not.toMatch(/ada@|script|made_up|constructor/)
      expect([await readActionWarnings(payout), await sandbox.journal(payout.id)]).toEqual([[], []])
    },
  )
})
