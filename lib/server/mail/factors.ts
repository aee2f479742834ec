import 'server-only'
import { sendMailInBackground } from './mailer'

/** Lets the person notice a change that they did not make. */
export const mailFactorChangeNotice = (to: string, changeText: string): void =>
  sendMailInBackground({
    to,
    subject: 'Your second factor in Paydesk changed',
    text: `${changeText}\n\nIf this was not you, tell an admin at once: they can end your sessions and remove your factors.\n`,
  })
