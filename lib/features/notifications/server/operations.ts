import 'server-only'
import type { OperationRuns } from '@/lib/server/http/desk-call'
import { saveChoice } from './choices'

export const notificationHandlers: OperationRuns<'notifications.choose'> = {
  'notifications.choose': async ({ actor, input }) => ({ data: await saveChoice(actor, input) }),
}
