import 'server-only'
import { AppError } from '@/lib/errors'
import { appendAudit } from '@/lib/server/audit/chain'
import { endAllSessions } from '@/lib/server/auth/one-time-links'
import { type Actor, dropCachedSessions } from '@/lib/server/auth/session-rows'
import { removeAllFactors } from '@/lib/server/auth/step-up/changes'
import { mailFactorChangeNotice } from '@/lib/server/mail/factors'
import { requireManagedPerson } from './changes'
import { runPeopleChange, toPeopleAuditEntry } from './rights'

/**
 * Removes all second factors of another person who lost them, and ends the person's sessions. After
 * that, the person cannot approve for a day. Throws `changed` if the person has no second factor.
 */
export async function removeFactors(actor: Actor, id: string): Promise<void> {
  const personEmail = await runPeopleChange(async (tx) => {
    const person = await requireManagedPerson(tx, actor, id, 'remove their own factors here')
    if (!(await removeAllFactors(tx, id)))
      throw new AppError('changed', 'This person has no second factor. Nothing was changed')
    await endAllSessions(tx, id)
    await appendAudit(tx, toPeopleAuditEntry('people.remove_factors.applied', actor, id))
    return person.email
  })
  dropCachedSessions(id)
  mailFactorChangeNotice(
    personEmail,
    'An admin removed all your passkeys, your authenticator app and your recovery codes.',
  )
}
