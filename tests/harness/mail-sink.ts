import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { findFreePort } from './free-port'

export type MailSink = Awaited<ReturnType<typeof startMailSink>>

export const listRecipients = ({ to }: ParsedMail) =>
  [to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''))

/**
 * Starts a mail server that stores the mails it receives. After `refuse(true)`, it refuses mails.
 */
export async function startMailSink() {
  const port = await findFreePort()
  const mails: ParsedMail[] = []
  let isRefusingMail = false
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(isRefusingMail ? new Error('no such mailbox') : null),
    onData: (stream, _session, done) => {
      void simpleParser(stream).then((mail) => {
        mails.push(mail)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'paydesk@company.test' },
    mails: mails as readonly ParsedMail[],
    to: (email: string) => mails.filter((mail) => listRecipients(mail).includes(email)),
    refuse: (shouldRefuse: boolean) => {
      isRefusingMail = shouldRefuse
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
