import { expect } from 'vitest'
import { createIdempotencyKey, createPdfFile } from './person'
import type { MadePayout } from './sandbox'
import { waitUntil } from './wait-until'
import type { IsolatedDesk } from './whole-desk'

export type OpenAction = { id: string; payout: MadePayout }

type SendWrite = (
  payout: MadePayout,
) => Promise<{ status: number; body: { action?: { id: string } } }>

/**
 * Returns functions that create actions with an unknown outcome and check their state, for tests
 * that restart Paydesk with other settings.
 */
export function createActionHelpers(testStack: IsolatedDesk) {
  const { sandbox, dashboard, db } = testStack

  /**
   * Sends a write that the service answers with 500, so that its action has an unknown outcome.
   * Delays the next check of the outcome by an hour, so that only `due` starts it.
   */
  async function createOpenAction(operation: string, write: SendWrite): Promise<OpenAction> {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation,
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: null,
    })
    const writeReply = await write(payout)
    expect(writeReply.status).toBe(202)
    const id = writeReply.body.action?.id ?? ''
    await db.query(`update actions set next_check_at = now() + interval '1 hour' where id = $1`, [
      id,
    ])
    return { id, payout }
  }

  const makeChecksDue = () =>
    db.query(`update actions set next_check_at = now() where state = 'unknown'`)

  const waitForActionState = ({ id }: OpenAction, state: string) =>
    waitUntil(state, async () =>
      (await db.query('select state from actions where id = $1', [id])).rows[0]?.state === state
        ? true
        : null,
    )

  /**
   * Returns the write requests about the action’s payout that the service received after the
   * sequence number `since`.
   */
  const listSentWrites = async ({ payout }: OpenAction, since = 0) =>
    (await sandbox.requests(since)).filter(
      (row) => row.method !== 'GET' && row.path.includes(payout.id),
    )

  return {
    due: makeChecksDue,
    settles: waitForActionState,
    sent: listSentWrites,
    /**
     * Sends a release and an upload, each for a new payout. Returns their actions, which have an
     * unknown outcome.
     */
    openWrites: async (operator: IsolatedDesk['operator']): Promise<OpenAction[]> => {
      const createdActions = [
        await createOpenAction('payouts.release', (payout) =>
          operator.decide('release', payout, createIdempotencyKey()),
        ),
        await createOpenAction('payouts.authorize', (payout) =>
          operator.upload(payout, createPdfFile('proof.pdf', 700_000)),
        ),
      ]
      await sandbox.clearFaults()
      return createdActions
    },
    /**
     * Restarts the desk with other settings. Expects that the desk repeats each request with the
     * same key and bytes, and that the service applies it only once.
     */
    replaysUnder: async (
      settings: Record<string, string>,
      unsettledActions: readonly OpenAction[],
    ): Promise<void> => {
      await makeChecksDue()
      await dashboard.restart(settings)
      for (const openAction of unsettledActions) {
        await waitForActionState(openAction, 'applied')
        const sentWrites = await listSentWrites(openAction)
        expect(sentWrites.length).toBeGreaterThan(3)
        expect(
          new Set(sentWrites.map((row) => `${row.idempotency_key} ${row.body_sha256}`)).size,
        ).toBe(1)
        expect(await sandbox.journal(openAction.payout.id)).toHaveLength(1)
      }
    },
  }
}
