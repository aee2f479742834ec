import * as z from 'zod'
import { type NotificationChoices, notificationEvents } from './notifications'

export const notificationSchemas = {
  'notifications.choose': {
    input: z.strictObject({
      event: z.enum(notificationEvents, `Must be one of ${notificationEvents.join(', ')}.`),
      app: z.boolean('Must be true or false.'),
      mail: z.boolean('Must be true or false.'),
    }),
    output: z.custom<NotificationChoices>(),
  },
}
