import 'server-only'
import * as z from 'zod'
import { loopbackNames } from './setting-forms'

const smtpUrlShape = z.url({
  protocol: /^smtps?$/,
  error: 'must be like smtps://user:password@mail.company.com',
  abort: true,
})

/** Settings of the mail server for one-time links. */
export const mailShape = z.object({
  SMTP_URL: smtpUrlShape.optional(),
  MAIL_FROM: z
    .email({ error: 'must be an address like paydesk@company.com', abort: true })
    .optional(),
})

type MailVariables = z.output<typeof mailShape>

/**
 * The mail server and the sender. `requireTls` means that nothing is sent before the connection is
 * encrypted.
 */
export type MailSettings = { url: string; from: string; requireTls: boolean }

/** Rejects SMTP_URL without MAIL_FROM, and MAIL_FROM without SMTP_URL. */
export function checkMail(
  value: MailVariables,
  context: z.core.$RefinementCtx<MailVariables>,
): void {
  const missingName =
    value.SMTP_URL && !value.MAIL_FROM
      ? 'MAIL_FROM'
      : value.MAIL_FROM && !value.SMTP_URL
        ? 'SMTP_URL'
        : null
  if (missingName)
    context.addIssue({
      code: 'custom',
      path: [missingName],
      message: 'must be set as well: mail needs SMTP_URL and MAIL_FROM',
    })
}

export function toMailSettings({
  SMTP_URL: url,
  MAIL_FROM: from,
}: MailVariables): MailSettings | null {
  return url && from
    ? {
        url,
        from,
        requireTls: url.startsWith('smtp:') && !loopbackNames.has(new URL(url).hostname),
      }
    : null
}
