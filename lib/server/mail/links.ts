import 'server-only'
import { sendMailInBackground } from './mailer'

const ignoreMailText =
  'If you did not expect this, do nothing: nobody can use the link but whoever has this mail.'

export const mailInvitation = (to: string, link: string): void =>
  sendMailInBackground({
    to,
    subject: 'Your invitation to Paydesk',
    text: `You are invited to Paydesk. Set your password here; the link works once, for 72 hours:\n\n${link}\n\n${ignoreMailText}\n`,
  })

export const mailPasswordResetLink = (to: string, link: string): void =>
  sendMailInBackground({
    to,
    subject: 'Set another password for Paydesk',
    text: `You, or someone who knows your address, asked to set another password. Do it here; the link works once, for an hour:\n\n${link}\n\n${ignoreMailText}\n`,
  })

/** Lets the person notice a change that they did not make. */
export const mailPasswordChangeNotice = (to: string): void =>
  sendMailInBackground({
    to,
    subject: 'Your password for Paydesk changed',
    text: 'Your password for Paydesk was changed, and all your other sessions were ended.\n\nIf this was not you, tell an admin at once: they can end your sessions.\n',
  })

/** Lets the person notice a sign-in by another person. */
export const mailSsoLinkNotice = (to: string): void =>
  sendMailInBackground({
    to,
    subject: 'Single sign-on for Paydesk',
    text: 'You were signed in to Paydesk by single sign-on for the first time.\n\nIf this was not you, tell an admin at once: they can deactivate your access.\n',
  })
