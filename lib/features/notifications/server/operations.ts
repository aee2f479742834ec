import 'server-only'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { saveNotificationChoice } from './choices'

export const notificationHandlers: DeskOperationHandlers<'notifications.choose'> = {
  'notifications.choose': async ({ actor, input }) => ({
    data: await saveNotificationChoice(actor, input),
  }),
}
