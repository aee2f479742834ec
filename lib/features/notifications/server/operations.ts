import 'server-only'
import type { Runs } from '@/lib/server/http/desk-call'
import { saveChoice } from './choices'

export const notificationRuns: Runs<'notifications.choose'> = {
  'notifications.choose': async ({ actor, input }) => ({ data: await saveChoice(actor, input) }),
}
