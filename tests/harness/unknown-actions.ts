import type { Client } from 'pg'
import type { Person } from './person'
import type { MadePayout } from './sandbox'
import { waitUntil } from './wait-until'
import type { WholeDesk } from './whole-desk'

/** Sends the statement of a person about the outcome of an action. */
export const decideOutcome = (person: Person, id: string, body: unknown) =>
  person.ask('POST', `/api/sandbox/desk/actions/${id}/decision`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export async function waitForActionState(db: Client, id: string, state: string): Promise<void> {
  await waitUntil(state, async () => {
    const { rows } = await db.query('select state from actions where id = $1', [id])
    return rows[0]?.state === state ? true : null
  })
}

/**
 * Creates an action whose outcome stays unknown. Then sets its first attempt back 21 hours: Paydesk
 * repeats no action of that age, so a person has to decide.
 */
export async function createUnknownOutcomeAction(
  { sandbox, db }: Pick<WholeDesk, 'sandbox' | 'db'>,
  sendAction: (payout: MadePayout) => Promise<{ body: { action?: { id: string } } }>,
  operation: string,
) {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation,
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  const id = (await sendAction(payout)).body.action?.id ?? ''
  await db.query(
    `update actions set first_sent_at = now() - interval '21 hours', next_check_at = now() where id = $1`,
    [id],
  )
  await waitForActionState(db, id, 'needs_human')
  return { payout, id }
}
