import 'server-only'
import * as z from 'zod'
import { loopbackHostnames } from './setting-forms'

const smtpUrlShape = z.url({
  protocol: /^smtps?$/,
  error: 'must be like smtps://user:password@mail.company.com',
  abort: true,
})

export const mailShape = z.object({
  SMTP_URL: smtpUrlShape.optional(),
  MAIL_FROM: z
    .email({ error: 'must be an address like paydesk@company.com', abort: true })
    .optional(),
})

type MailVariables = z.output<typeof mailShape>

/** `requireTls` means that nothing is sent before the connection is encrypted. */
export type MailSettings = { url: string; from: string; requireTls: boolean }

export function checkMailVariables(
  value: MailVariables,
  context: z.core.$RefinementCtx<MailVariables>,
): void {
  const missingVariable =
    value.SMTP_URL && !value.MAIL_FROM
      ? 'MAIL_FROM'
      : value.MAIL_FROM && !value.SMTP_URL
        ? 'SMTP_URL'
        : null
  if (missingVariable)
    context.addIssue({
      code: 'custom',
      path: [missingVariable],
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
        requireTls: url.startsWith('smtp:') && !loopbackHostnames.has(new URL(url).hostname),
      }
    : null
}
