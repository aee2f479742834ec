import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Role, roles } from '@/lib/operations/define'
import { addLimitedPerson, listActiveAccounts } from './objects'
import { signInWithRetry } from './sign-in'
import { waitUntil } from './wait-until'
import type { WholeDesk } from './whole-desk'

/**
 * The scope in which a person has a role: the whole platform, the tested account (`own`), or
 * another account (`other`). `expired` and `removed` have the role in the tested account, but the
 * role of `expired` has ended, and `removed` was deactivated while signed in.
 */
const roleScopes = ['platform', 'own', 'other', 'expired', 'removed'] as const

export type RoleScope = (typeof roleScopes)[number] | 'nobody'

/**
 * A person with a signed-in session. `send` sends a request; its parameter `at` is the URL of the
 * dashboard, if several share the store.
 */
export type TestPerson = {
  role: Role
  holding: RoleScope
  send: (path: string, init?: RequestInit, at?: string) => Promise<Response>
}

/**
 * Signs in one person for each role and scope, and adds a visitor without a session. The returned
 * `account` is the tested account, as a bare UUID.
 */
export async function signInEveryRole(
  testStack: WholeDesk,
): Promise<{ account: string; everybody: readonly TestPerson[] }> {
  const deskUrl = testStack.dashboard.url
  const sendWithCookie =
    (cookie: string): TestPerson['send'] =>
    (path, init = {}, at = deskUrl) =>
      fetch(at + path, {
        redirect: 'manual',
        ...init,
        headers: {
          origin: at,
          'sec-fetch-site': 'same-origin',
          cookie,
          ...(init.headers as object),
        },
      })
  const signInByEmail = async (email: string): Promise<TestPerson['send']> => {
    const { ok, jar } = await signInWithRetry(deskUrl, email, 'paydesk-demo')
    expect([email, ok]).toEqual([email, true])
    return sendWithCookie([...jar].map(([name, value]) => `${name}=${value}`).join('; '))
  }
  const allTestPeople: TestPerson[] = []
  // A direct account is the only one, so a role in another account names one that does not exist.
  const [own = '', other = randomUUID()] = await listActiveAccounts(testStack.operator)
  for (const role of roles) {
    allTestPeople.push({
      role,
      holding: 'platform',
      send: await signInByEmail(`${role}@paydesk.test`),
    })
    for (const holding of roleScopes.slice(1)) {
      const email = `${role}.${holding}@paydesk.test`
      await addLimitedPerson(testStack.db, email, role, holding === 'other' ? other : own)
      allTestPeople.push({ role, holding, send: await signInByEmail(email) })
    }
  }
  await testStack.db.query(
    `update grants set expires_at = now() - interval '1 second' where person_id in (select id from people where email like '%.expired@%')`,
  )
  await testStack.db.query(`update people set disabled_at = now() where email like '%.removed@%'`)
  allTestPeople.push({ role: 'admin', holding: 'nobody', send: sendWithCookie('') })
  // The permissions of a session are cached for up to a second. Waits until the session of a
  // removed person has ended.
  const deactivatedPerson = allTestPeople.find(({ holding }) => holding === 'removed')
  await waitUntil('the end of a removed session', async () =>
    (await deactivatedPerson?.send('/api/sandbox/desk/views?list=payouts'))?.status === 401
      ? true
      : null,
  )
  return { account: own, everybody: allTestPeople }
}
