import 'server-only'
import type { Transporter } from 'nodemailer'
import { env } from '@/lib/server/config/env'
import { counted } from '@/lib/server/counted'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { beforeExit } from '@/lib/server/store/store'

/** What goes to one address; no name of a person is in a header. */
type Mail = { to: string; subject: string; text: string }

/** How long a mail server may take to answer (milliseconds). */
const patience = 20_000

let transport: Promise<Transporter> | undefined

async function connect(url: string, requireTLS: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const waits = { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  return createTransport({ url, requireTLS, ...waits, disableFileAccess: true, disableUrlAccess: true })
}

/** Whether there is a mail server to send by. */
export const canMail = (): boolean => env().mail !== null

async function send(mail: Mail): Promise<void> {
  const settings = env().mail
  if (!settings) return
  transport ??= connect(settings.url, settings.requireTls)
  await (await transport).sendMail({ ...mail, from: { name: 'Paydesk', address: settings.from } })
}

/** Sends a mail and says whether it went out; where not the log says so, without the address. */
export const mailNow = (mail: Mail): Promise<boolean> =>
  send(mail).then(
    () => {
      counted.mails.inc({ outcome: 'sent' })
      return true
    },
    (error: unknown) => {
      counted.mails.inc({ outcome: 'not_sent' })
      log.error({ event: 'mail.not_sent', code: errorCode(error) })
      return false
    },
  )

/**
 * Sends a mail that no answer waits for, once what it tells is committed. It is kept nowhere, as the link in it is.
 */
export function mailLater(mail: Mail): void {
  beforeExit(mailNow(mail).then(() => undefined))
}
