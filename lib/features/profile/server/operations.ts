import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Profile } from '@/lib/operations/profile'
import { listGrantViews } from '@/lib/server/auth/grant-views'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { changePassword, getPasswordState } from './password'
import { endOwnSession, endOwnSessions, listOwnSessions, readSessionTimeLeft } from './sessions'

export async function readProfile(actor: Actor): Promise<Profile> {
  const db = await getDatabase()
  const [person] = await db.select().from(people).where(eq(people.id, actor.id))
  if (!person) throw new AppError('not_found', 'There is no such person')
  const grantViews = (await listGrantViews(db, actor.id)).get(actor.id) ?? []
  return {
    name: person.name,
    email: person.email,
    grants: grantViews.filter(({ expired }) => !expired),
    sessions: await listOwnSessions(actor),
    password: getPasswordState(person),
  }
}

type ProfileVerb = 'read' | 'session' | 'stay' | 'end_session' | 'end_sessions' | 'change_password'

export const profileHandlers: DeskOperationHandlers<`profile.${ProfileVerb}`> = {
  'profile.read': async ({ actor }) => ({ data: await readProfile(actor) }),
  'profile.session': async ({ actor }) => ({ data: await readSessionTimeLeft(actor) }),
  'profile.stay': async ({ actor }) => ({ data: await readSessionTimeLeft(actor) }),
  'profile.end_session': async ({ actor, input }) => ({
    data: await endOwnSession(actor, input.id),
  }),
  'profile.end_sessions': async ({ actor, input }) => ({
    data: await endOwnSessions(actor, input.which),
  }),
  'profile.change_password': async ({ actor, input }) => ({
    data: await changePassword(actor, input),
  }),
}
