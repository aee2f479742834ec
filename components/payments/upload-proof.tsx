'use client'

import { useEffect, useRef } from 'react'
import { isDefinite } from '@/components/kits/action/outcome'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { FileDrop } from '@/components/kits/upload/file-drop'
import { unfinished } from '@/components/kits/upload/file-job'
import { FileRows } from '@/components/kits/upload/file-rows'
import { useFileQueue } from '@/components/kits/upload/use-file-queue'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { accountName } from '@/lib/client/desk'
import { upload } from '@/lib/client/upload'
import { type FileProblem, fileEndings, nameProblem } from '@/lib/domain/file-rules'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { paymentNouns } from './payment-nouns'
import { paymentOperations } from './payment-operations'

export type UploadProofProps = {
  kind: PaymentKind
  payment: Payment
  account: string | null
  closed: string | null
  correlationId: string
  releaseClosed: string | null
  onClose: () => void
  onAttached: () => void
  onRelease: () => void
}

const accept = fileEndings.map((ending) => `.${ending}`).join(',')

/** Files for a payment: checked here first, then sent one request each. What is attached cannot be taken back, so that is said before. */
export function UploadProof(props: UploadProofProps) {
  const { kind, payment, account, closed, correlationId, releaseClosed, onClose, onAttached, onRelease } = props
  const nouns = paymentNouns[kind]
  const desk = useDesk()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers give a promise for it, which must not pass for the effect's cleanup.
    void root.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const queue = useFileQueue({
    room: 2,
    check: async (file) => {
      const problem = nameProblem(file.name, file.size) ?? (await contentProblem(file))
      return { problem: problem ?? undefined, warning: problem ? undefined : alreadyThere(payment, file) }
    },
    send: async (file, { key, signal, onProgress }) => {
      const sent = { environment: desk.environment, account, idempotencyKey: key, correlationId, signal, onProgress }
      const answer = await upload(paymentOperations[kind].authorize, { id: payment.id }, file, sent)
      return noteOf(nouns.one, answer.data, file, answer.replayed)
    },
    isDefinite: (error) => isDefinite(error.code),
    onAttached,
  })
  const attached = queue.jobs.some((job) => job.state === 'attached')
  const busy = queue.jobs.some((job) => unfinished.includes(job.state))
  const stranded = queue.jobs.filter((job) => job.error?.code === 'unauthenticated')
  const onSignedIn = () => {
    for (const job of stranded) queue.change(job.id, { error: undefined })
    onAttached()
  }
  return (
    <div ref={root} className="mt-3 grid scroll-mb-20 gap-3">
      <FileDrop accept={accept} closed={closed} onFiles={queue.add}>
        PDF, PNG, JPG, DOC or DOCX, up to 10 MB each. A document is added to this {nouns.one}
        {account && <> of {accountName(desk, account)}</>} in <span className="font-semibold">{desk.environment.toUpperCase()}</span>; it
        never replaces one and cannot be removed.
      </FileDrop>
      {queue.jobs.length > 0 && (
        <FileRows
          jobs={queue.jobs}
          onStop={queue.stop}
          onRetry={queue.retry}
          onRemove={queue.remove}
          onConfirm={(id) => queue.change(id, { state: 'waiting', warning: undefined })}
        />
      )}
      {stranded.length > 0 && (
        <Notice tone="held" title="Your session ended" role="alert">
          <p>The files are kept here. Sign in, then try each again.</p>
          <div className="max-w-sm">
            <CredentialsForm email={desk.person.email} onDone={onSignedIn} />
          </div>
        </Notice>
      )}
      {attached && !busy && (
        <Notice
          tone="good"
          title={releaseClosed === null ? 'Document in. Release now?' : 'Document in.'}
          role="status"
          actions={
            releaseClosed === null && (
              <Button variant="primary" onClick={onRelease}>
                Release…
              </Button>
            )
          }
        />
      )}
      <div>
        <Button size="small" variant="quiet" disabledReason={busy ? 'A file is still on its way.' : null} onClick={onClose}>
          Close upload
        </Button>
      </div>
    </div>
  )
}

/** What the content says against a file. Its rules are read when they are first needed; where they cannot be read, the server, which has the same, says it. */
async function contentProblem(file: File): Promise<FileProblem | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const rules = await import('@/lib/domain/files/check-file').catch(() => null)
  return rules ? rules.checkFile(file.name, bytes) : null
}

/** The same name and size is most likely the same file; the bytes of attached documents cannot be read back. */
function alreadyThere(payment: Payment, file: File): string | undefined {
  const same = payment.documents.find((document) => document.document_name === file.name && document.document_size === file.size)
  return same && 'A document of this name and size is attached already. Attaching it again adds a second one for good.'
}

function noteOf(one: string, payment: Payment, file: File, replayed: boolean): string | undefined {
  // Several files travel at once, so the newest need not be this one.
  const listed = payment.documents.some(
    (document) => document.document_name === file.name && (document.document_size ?? file.size) === file.size,
  )
  if (!listed) return `Accepted, but the ${one} does not list it. Read the ${one} again.`
  return replayed ? 'This is the answer to the first attempt: it was attached once.' : undefined
}
