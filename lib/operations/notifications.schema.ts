import * as z from 'zod'
import { type NotificationChoices, notificationEvents } from './notifications'

export const notificationSchemas = {
  'notifications.choose': {
    input: z.strictObject({
      event: z.enum(notificationEvents, `must be one of ${notificationEvents.join(', ')}`),
      app: z.boolean('must be true or false'),
      mail: z.boolean('must be true or false'),
    }),
    output: z.custom<NotificationChoices>(),
  },
}
