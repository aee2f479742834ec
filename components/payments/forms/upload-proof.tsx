'use client'

import { type RefObject, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { CtrlEnterForm } from '@/components/kits/form/action-form'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import {
  DateField,
  FieldGroup,
  SelectField,
  TextAreaField,
  TextField,
} from '@/components/kits/form/fields'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useEscape } from '@/components/kits/layout/use-escape'
import { FileDrop, FileRows } from '@/components/kits/upload/file-list'
import { unsentStates, uploadingStates } from '@/components/kits/upload/file-queue'
import type { ProofValues } from '@/components/payments/record/use-payment-actions'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { getAccountName } from '@/lib/client/page-context'
import { toNewYorkDate } from '@/lib/dates'
import { allowedExtensions } from '@/lib/domain/files/rules'
import { consentTypeLabels, paymentNouns } from '@/lib/features/payments/labels'
import { type ProofUploadOptions, useProofUpload } from './use-proof-upload'

const { signed: _, ...methods } = consentTypeLabels

type ProofFieldsProps = {
  form: UseFormReturn<ProofValues>
  one: (typeof paymentNouns)[keyof typeof paymentNouns]['one']
}

/**
 * Fields for who authorized the payment, when and how. They apply to all files that are uploaded
 * together.
 */
const ProofFields = ({ form, one }: ProofFieldsProps) => (
  <FieldGroup
    title="Authorization"
    note={`Stored in Paydesk with this ${one}, for all files you upload together. The payments service receives only the files.`}
  >
    <TextField
      form={form}
      name="authorized_by"
      label="Authorized by"
      hint="The person who authorized the payment"
      maxLength={120}
    />
    <DateField
      form={form}
      name="authorized_on"
      label="Date of authorization"
      max={toNewYorkDate(Date.now())}
    />
    <SelectField form={form} name="method" label="Method" choices={methods} none="Choose…" />
    <TextAreaField form={form} name="note" label="Note (optional)" rows={2} maxLength={500} />
  </FieldGroup>
)

export type ProofUploadPanelProps = ProofUploadOptions & {
  disabledReason: string | null
  releaseDisabledReason: string | null
  onClose: () => void
  onRelease: () => void
}

const acceptedEndings = allowedExtensions.map((ending) => `.${ending}`).join(',')

/**
 * Uploads documents that prove the authorization of a payment. The person chooses files, describes
 * them once and sends them with one button; each file is one request. If the person leaves the
 * page, the chosen files are kept until they are sent or removed.
 */
export function ProofUploadPanel(props: ProofUploadPanelProps) {
  const { kind, account, disabledReason, releaseDisabledReason, onClose, onRelease } = props
  const nouns = paymentNouns[kind]
  const context = usePageContext()
  const environmentLabel = context.environment.toUpperCase()
  const panelRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const previousFocus = document.activeElement
    panelRef.current?.querySelector('button')?.focus({ preventScroll: true })
    void panelRef.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      // If closing the panel removed the focused element, return the focus to the element that had
      // it before.
      if (document.activeElement === document.body && previousFocus instanceof HTMLElement)
        previousFocus.focus({ preventScroll: true })
    }
  }, [])
  const { form, queue, onceSound, asksFields } = useProofUpload(props)
  const hasAttachedFile = queue.jobs.some((job) => job.state === 'attached')
  const isSending = queue.jobs.some((job) => uploadingStates.includes(job.state))
  const hasUnsentFiles = queue.jobs.some((job) => unsentStates.includes(job.state))
  const readyCount = queue.jobs.filter((job) => job.state === 'ready').length
  const resultsElement = useScrollToResults(isSending)
  useEscape(onClose, true, panelRef)
  const sendFiles = () => {
    resultsElement.current?.focus({ preventScroll: true })
    queue.sendAll()
  }
  return (
    <div ref={panelRef} className="mt-3 grid scroll-mb-20 gap-3">
      <FileDrop accept={acceptedEndings} disabledReason={disabledReason} onFiles={queue.add}>
        PDF, PNG, JPG, DOC or DOCX, up to 10 MB each. Nothing is sent until you press Upload. A
        document is added to this {nouns.one}
        {account && <> of {getAccountName(context, account)}</>} in{' '}
        <span className="font-semibold">{environmentLabel}</span>; it never replaces one and cannot
        be removed.
      </FileDrop>
      <section
        ref={resultsElement}
        aria-label="Upload results"
        tabIndex={-1}
        className="scroll-my-20 outline-none"
      >
        {queue.jobs.length > 0 && (
          <FileRows
            jobs={queue.jobs}
            onStop={queue.stop}
            onRetry={queue.retry}
            onRemove={queue.remove}
            onConfirm={(id) => queue.change(id, { state: 'ready', warning: undefined })}
          />
        )}
      </section>
      <CtrlEnterForm
        className="grid gap-3"
        onSend={() => readyCount > 0 && disabledReason === null && onceSound(sendFiles)}
      >
        {asksFields && <ProofFields form={form} one={nouns.one} />}
        {readyCount > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              variant="primary"
              disabledReason={disabledReason}
              onClick={() => onceSound(sendFiles)}
            >
              Upload {readyCount === 1 ? '1 file' : `${readyCount} files`}
            </Button>
            <span className="text-ink-2 text-sm">
              Adds {readyCount === 1 ? 'it' : 'them'} to this {nouns.one}. Documents cannot be
              removed later.
            </span>
          </div>
        )}
      </CtrlEnterForm>
      <SessionEndedForm queue={queue} onSignedIn={props.onAttached} />
      {hasAttachedFile && !isSending && !hasUnsentFiles && (
        <UploadedNotice releaseDisabledReason={releaseDisabledReason} onRelease={onRelease} />
      )}
      <div>
        <Button size="small" variant="quiet" onClick={onClose}>
          Close upload
        </Button>
      </div>
    </div>
  )
}

/** A sign-in form, shown if uploads failed because the session had ended. The files are kept. */
function SessionEndedForm({
  queue,
  onSignedIn,
}: {
  queue: ReturnType<typeof useProofUpload>['queue']
  onSignedIn: () => void
}) {
  const { person } = usePageContext()
  const unauthenticatedJobs = queue.jobs.filter((job) => job.error?.code === 'unauthenticated')
  if (unauthenticatedJobs.length === 0) return null
  const handleSignedIn = () => {
    for (const job of unauthenticatedJobs) queue.change(job.id, { error: undefined })
    onSignedIn()
  }
  return (
    <Notice tone="held" title="Your session ended" role="alert">
      <p>The files are kept here. Sign in, then try each again.</p>
      <div className="max-w-sm">
        <CredentialsForm email={person.email} onDone={handleSignedIn} />
      </div>
    </Notice>
  )
}

const UploadedNotice = ({
  releaseDisabledReason,
  onRelease,
}: Pick<ProofUploadPanelProps, 'releaseDisabledReason' | 'onRelease'>) => (
  <Notice
    tone="good"
    title={
      releaseDisabledReason === null ? 'Document uploaded. Release now?' : 'Document uploaded.'
    }
    role="status"
    actions={
      releaseDisabledReason === null && (
        <Button variant="primary" onClick={onRelease}>
          Release…
        </Button>
      )
    }
  />
)

function useScrollToResults(isUploading: boolean): RefObject<HTMLElement | null> {
  const resultsRef = useRef<HTMLElement>(null)
  const wasSending = useRef(false)
  useEffect(() => {
    if (wasSending.current && !isUploading)
      void resultsRef.current?.scrollIntoView({ block: 'nearest' })
    wasSending.current = isUploading
  }, [isUploading])
  return resultsRef
}
