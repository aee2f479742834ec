import 'server-only'
import { mailLater } from './mailer'

/** Lets the person notice a change that they did not make. */
export const mailFactorChange = (to: string, changeText: string): void =>
  mailLater({
    to,
    subject: 'Your second factor in Paydesk changed',
    text: `${changeText}\n\nIf this was not you, tell an admin at once: they can end your sessions and remove your factors.\n`,
  })
