import 'server-only'
import type { Transporter } from 'nodemailer'
import { env } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { delayExitFor } from '@/lib/server/store/store'

/**
 * The subject and the addresses must not contain the name of a person, because mail servers log
 * them.
 */
type Mail = { to: string; subject: string; text: string }

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
  const mailSettings = env().mail
  if (!mailSettings) return
  transport ??= createMailTransport(mailSettings.url, mailSettings.requireTls)
  await (await transport).sendMail({
    ...mail,
    from: { name: 'Paydesk', address: mailSettings.from },
  })
}

/** Returns false on a failure, which is logged without the address. */
export const sendMailNow = (mail: Mail): Promise<boolean> =>
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

/** Call after the commit. Not retried: that would store the mail, which can contain a secret. */
export function sendMailInBackground(mail: Mail): void {
  delayExitFor(sendMailNow(mail).then(() => undefined))
}
