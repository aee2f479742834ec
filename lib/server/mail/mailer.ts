import 'server-only'
import type { Transporter } from 'nodemailer'
import { env } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { delayExitFor } from '@/lib/server/store/store'

/** A mail to one address. The subject and the addresses must not contain the name of a person. */
type Mail = { to: string; subject: string; text: string }

/** Timeout of each step with the mail server (milliseconds). */
const mailTimeoutMs = 20_000

let transport: Promise<Transporter> | undefined

async function createMailTransport(url: string, requireTLS: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const timeouts = {
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
  }
  return createTransport({
    url,
    requireTLS,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

export const canMail = (): boolean => env().mail !== null

async function sendMail(mail: Mail): Promise<void> {
  const settings = env().mail
  if (!settings) return
  transport ??= createMailTransport(settings.url, settings.requireTls)
  await (await transport).sendMail({ ...mail, from: { name: 'Paydesk', address: settings.from } })
}

/** Sends a mail. Returns false if that fails, and logs the failure without the address. */
export const mailNow = (mail: Mail): Promise<boolean> =>
  sendMail(mail).then(
    () => {
      metrics.mails.inc({ outcome: 'sent' })
      return true
    },
    (error: unknown) => {
      metrics.mails.inc({ outcome: 'not_sent' })
      log.error({ event: 'mail.not_sent', code: getErrorCode(error) })
      return false
    },
  )

/**
 * Sends a mail in the background. Call it after the transaction has committed. A failed mail is not
 * retried: a retry would have to store the mail, and it can contain a secret link.
 */
export function mailLater(mail: Mail): void {
  delayExitFor(mailNow(mail).then(() => undefined))
}
