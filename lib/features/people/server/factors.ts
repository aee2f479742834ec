import 'server-only'
import { AppError } from '@/lib/errors'
import { appendAudit } from '@/lib/server/audit/chain'
import { endSessionsOf } from '@/lib/server/auth/one-time-links'
import { type Actor, forgetSessionsOf } from '@/lib/server/auth/session-rows'
import { removeFactorsOf } from '@/lib/server/auth/step-up/changes'
import { mailFactorChange } from '@/lib/server/mail/factors'
import { within } from './changes'
import { audited, changing } from './rights'

/**
 * Removes all second factors of another person who lost them, and ends the person's sessions. After that, the person cannot approve for a
 * day. Throws `changed` if there are none.
 */
export async function removeFactors(actor: Actor, id: string): Promise<void> {
  const email = await changing(async (tx) => {
    const person = await within(tx, actor, id, 'remove their own factors here')
    if (!(await removeFactorsOf(tx, id))) throw new AppError('changed', 'This person has no second factor. Nothing was changed')
    await endSessionsOf(tx, id)
    await appendAudit(tx, audited('people.remove_factors.applied', actor, id))
    return person.email
  })
  forgetSessionsOf(id)
  mailFactorChange(email, 'An admin removed all your passkeys, your authenticator app and your recovery codes.')
}
