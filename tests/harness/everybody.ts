import { expect } from 'vitest'
import { type Role, roles } from '@/lib/operations/define'
import { activeAccounts, addLimited } from './objects'
import { signInPatiently } from './person'
import { until } from './until'
import type { WholeDesk } from './whole-desk'

/**
 * The scope of a person's role. `own` is the requested account and `other` another account. The role of `expired` has ended. `removed` was
 * deactivated while signed in.
 */
const holdings = ['platform', 'own', 'other', 'expired', 'removed'] as const

export type Holding = (typeof holdings)[number] | 'nobody'

/** A person with a signed-in session. `at` selects the dashboard, if several share the store. */
export type Who = { role: Role; holding: Holding; send: (path: string, init?: RequestInit, at?: string) => Promise<Response> }

/**
 * Signs in one person for each role and scope, and adds a visitor without a session. `account` is the requested account, as a bare UUID.
 */
export async function everybodyOf(desk: WholeDesk): Promise<{ account: string; everybody: readonly Who[] }> {
  const home = desk.dashboard.url
  const as =
    (cookie: string): Who['send'] =>
    (path, init = {}, at = home) =>
      fetch(at + path, {
        redirect: 'manual',
        ...init,
        headers: { origin: at, 'sec-fetch-site': 'same-origin', cookie, ...(init.headers as object) },
      })
  const enter = async (email: string): Promise<Who['send']> => {
    const { ok, jar } = await signInPatiently(home, email, 'paydesk-demo')
    expect([email, ok]).toEqual([email, true])
    return as([...jar].map(([name, value]) => `${name}=${value}`).join('; '))
  }
  const everybody: Who[] = []
  const [own = '', other = ''] = await activeAccounts(desk.operator)
  for (const role of roles) {
    everybody.push({ role, holding: 'platform', send: await enter(`${role}@paydesk.test`) })
    for (const holding of holdings.slice(1)) {
      const email = `${role}.${holding}@paydesk.test`
      await addLimited(desk.db, email, role, holding === 'other' ? other : own)
      everybody.push({ role, holding, send: await enter(email) })
    }
  }
  await desk.db.query(
    `update grants set expires_at = now() - interval '1 second' where person_id in (select id from people where email like '%.expired@%')`,
  )
  await desk.db.query(`update people set disabled_at = now() where email like '%.removed@%'`)
  everybody.push({ role: 'admin', holding: 'nobody', send: as('') })
  // Waits, because a session's permissions are cached for up to a second.
  const removed = everybody.find(({ holding }) => holding === 'removed')
  await until('the end of a removed session', async () =>
    (await removed?.send('/api/sandbox/desk/views?list=payouts'))?.status === 401 ? true : null,
  )
  return { account: own, everybody }
}
