import { expect } from 'vitest'
import { type Role, roles } from '@/lib/operations/define'
import { addLimitedPerson, listActiveAccounts } from './objects'
import { signInWithRetry } from './person'
import { waitUntil } from './wait-until'
import type { WholeDesk } from './whole-desk'

/**
 * The scope of a person's role. `own` is the requested account and `other` another account. The role of `expired` has ended. `removed` was
 * deactivated while signed in.
 */
const roleScopes = ['platform', 'own', 'other', 'expired', 'removed'] as const

export type RoleScope = (typeof roleScopes)[number] | 'nobody'

/** A person with a signed-in session. `at` selects the dashboard, if several share the store. */
export type TestPerson = { role: Role; holding: RoleScope; send: (path: string, init?: RequestInit, at?: string) => Promise<Response> }

/**
 * Signs in one person for each role and scope, and adds a visitor without a session. `account` is the requested account, as a bare UUID.
 */
export async function signInEveryRole(desk: WholeDesk): Promise<{ account: string; everybody: readonly TestPerson[] }> {
  const deskUrl = desk.dashboard.url
  const sendWithCookie =
    (cookie: string): TestPerson['send'] =>
    (path, init = {}, at = deskUrl) =>
      fetch(at + path, {
        redirect: 'manual',
        ...init,
        headers: { origin: at, 'sec-fetch-site': 'same-origin', cookie, ...(init.headers as object) },
      })
  const signInByEmail = async (email: string): Promise<TestPerson['send']> => {
    const { ok, jar } = await signInWithRetry(deskUrl, email, 'paydesk-demo')
    expect([email, ok]).toEqual([email, true])
    return sendWithCookie([...jar].map(([name, value]) => `${name}=${value}`).join('; '))
  }
  const everybody: TestPerson[] = []
  const [own = '', other = ''] = await listActiveAccounts(desk.operator)
  for (const role of roles) {
    everybody.push({ role, holding: 'platform', send: await signInByEmail(`${role}@paydesk.test`) })
    for (const holding of roleScopes.slice(1)) {
      const email = `${role}.${holding}@paydesk.test`
      await addLimitedPerson(desk.db, email, role, holding === 'other' ? other : own)
      everybody.push({ role, holding, send: await signInByEmail(email) })
    }
  }
  await desk.db.query(
    `update grants set expires_at = now() - interval '1 second' where person_id in (select id from people where email like '%.expired@%')`,
  )
  await desk.db.query(`update people set disabled_at = now() where email like '%.removed@%'`)
  everybody.push({ role: 'admin', holding: 'nobody', send: sendWithCookie('') })
  // Waits, because a session's permissions are cached for up to a second.
  const removedPerson = everybody.find(({ holding }) => holding === 'removed')
  await waitUntil('the end of a removed session', async () =>
    (await removedPerson?.send('/api/sandbox/desk/views?list=payouts'))?.status === 401 ? true : null,
  )
  return { account: own, everybody }
}
