import 'server-only'
import { mailLater } from './mailer'

/** Tells a person that their factors changed, so that they notice a change that was not theirs. */
export const mailFactorChange = (to: string, what: string): void =>
  mailLater({
    to,
    subject: 'Your second factor in Paydesk changed',
    text: `${what}\n\nIf this was not you, tell an admin at once: they can end your sessions and remove your factors.\n`,
  })
