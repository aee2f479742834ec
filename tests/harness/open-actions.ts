import { expect } from 'vitest'
import { createPdfFile, newKey } from './person'
import type { MadePayout } from './sandbox'
import { waitUntil } from './wait-until'
import type { OwnDesk } from './whole-desk'

export type OpenAction = { id: string; payout: MadePayout }

type Write = (payout: MadePayout) => Promise<{ status: number; body: { action?: { id: string } } }>

/** Returns functions that create and check actions with an unknown outcome, for tests that restart the desk with other settings. */
export function openActions(desk: OwnDesk) {
  const { sandbox, dashboard, db } = desk

  /** Creates an action with an unknown outcome. Nothing checks it before `due` is called. */
  async function createOpenAction(operation: string, write: Write): Promise<OpenAction> {
    const payout = await sandbox.makePayout()
    await sandbox.fault({ operation, match: payout.id, kind: 'status', status: 500, body: 'none', count: null })
    const reply = await write(payout)
    expect(reply.status).toBe(202)
    const id = reply.body.action?.id ?? ''
    await db.query(`update actions set next_check_at = now() + interval '1 hour' where id = $1`, [id])
    return { id, payout }
  }

  const due = () => db.query(`update actions set next_check_at = now() where state = 'unknown'`)

  const settles = ({ id }: OpenAction, state: string) =>
    waitUntil(state, async () => ((await db.query('select state from actions where id = $1', [id])).rows[0]?.state === state ? true : null))

  /** Returns the write requests about an action's payout that reached the service, with their key and the hash of their bytes. */
  const sent = async ({ payout }: OpenAction, since = 0) =>
    (await sandbox.requests(since)).filter((row) => row.method !== 'GET' && row.path.includes(payout.id))

  return {
    due,
    settles,
    sent,
    /** Creates a release and an upload as a person. Both have an unknown outcome. */
    openWrites: async (operator: OwnDesk['operator']): Promise<OpenAction[]> => {
      const open = [
        await createOpenAction('payouts.release', (payout) => operator.decide('release', payout, newKey())),
        await createOpenAction('payouts.authorize', (payout) => operator.upload(payout, createPdfFile('proof.pdf', 700_000))),
      ]
      await sandbox.clearFaults()
      return open
    },
    /**
     * Restarts the desk with other settings. Expects that each open action is sent again with the same bytes, and took effect only once.
     */
    replaysUnder: async (settings: Record<string, string>, open: readonly OpenAction[]): Promise<void> => {
      await due()
      await dashboard.restart(settings)
      for (const openAction of open) {
        await settles(openAction, 'applied')
        const requests = await sent(openAction)
        expect(requests.length).toBeGreaterThan(3)
        expect(new Set(requests.map((row) => `${row.idempotency_key} ${row.body_sha256}`)).size).toBe(1)
        expect(await sandbox.journal(openAction.payout.id)).toHaveLength(1)
      }
    },
  }
}
