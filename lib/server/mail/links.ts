import 'server-only'
import { mailLater } from './mailer'

const notYou = 'If you did not expect this, do nothing: nobody can use the link but whoever has this mail.'

/** Sends an invitation with its link. */
export const mailInvitation = (to: string, link: string): void =>
  mailLater({
    to,
    subject: 'Your invitation to Paydesk',
    text: `You are invited to Paydesk. Set your password here; the link works once, for 72 hours:\n\n${link}\n\n${notYou}\n`,
  })

/** Sends the link that lets somebody set another password. */
export const mailReset = (to: string, link: string): void =>
  mailLater({
    to,
    subject: 'Set another password for Paydesk',
    text: `You, or someone who knows your address, asked to set another password. Do it here; the link works once, for an hour:\n\n${link}\n\n${notYou}\n`,
  })
