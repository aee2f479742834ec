import 'server-only'
import { mailLater } from './mailer'

/** Notifies a person of a changed second factor, so that they notice a change they did not make. */
export const mailFactorChange = (to: string, what: string): void =>
  mailLater({
    to,
    subject: 'Your second factor in Paydesk changed',
    text: `${what}\n\nIf this was not you, tell an admin at once: they can end your sessions and remove your factors.\n`,
  })
