'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { isCertainRefusal } from '@/components/kits/action/outcome'
import { createFormResolver } from '@/components/kits/form/form-resolver'
import { usePageContext } from '@/components/kits/layout/page-context'
import {
  createFileQueue,
  type FileJob,
  type FileState,
  unsentStates,
  useFileQueue,
} from '@/components/kits/upload/file-queue'
import { paymentOperations } from '@/components/payments/operations'
import {
  findUnfinishedUpload,
  type ProofValues,
  storeUploadDraft,
  type UploadDraft,
} from '@/components/payments/record/use-payment-actions'
import { type UploadOperationId, type UploadOptions, uploadProofFile } from '@/lib/client/upload'
import { formatRelativeTime } from '@/lib/dates'
import { type FileProblem, findNameOrSizeProblem } from '@/lib/domain/files/rules'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { paymentNouns } from '@/lib/features/payments/labels'
import { matchUploadActions } from '@/lib/features/payments/proof-documents'
import type { ActionView } from '@/lib/operations/answer'
import { authorizationDetails } from '@/lib/operations/payment-input.schema'

const attachAgainWarning = 'Attaching it again adds a second copy permanently.'

/**
 * Returns the SHA-256 of a file's bytes. Null if the browser has no `crypto.subtle`, as on an
 * unencrypted page.
 */
async function hashFile(file: File): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const digestBytes = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digestBytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function formatSentBeforeWarning(actions: readonly ActionView[], hash: string): string | undefined {
  const sentAction = actions.find(({ file, state }) => file?.sha256 === hash && state !== 'refused')
  if (!sentAction?.file) return
  const uploaderText = `${sentAction.file.name}, uploaded by ${sentAction.own ? 'you' : sentAction.actor} ${formatRelativeTime(sentAction.created_at, Date.now())}`
  return sentAction.state === 'applied'
    ? `The same file is already attached: ${uploaderText}. ${attachAgainWarning}`
    : `The same file was already sent: ${uploaderText}. The outcome is not known yet. Wait for the outcome, so that the file is not attached twice.`
}

type DuplicateCheckInput = {
  payment: Payment
  actions: readonly ActionView[]
  jobs: readonly FileJob[]
  hashes: WeakMap<File, string>
}

/**
 * Returns the reason a file is probably a duplicate; undefined if it is not. Files uploaded or
 * chosen in Paydesk are compared by a hash of their bytes. Documents attached outside Paydesk are
 * compared by name and size, because the service does not return their bytes.
 */
async function findDuplicateWarning(
  file: File,
  { payment, actions, jobs, hashes }: DuplicateCheckInput,
): Promise<string | undefined> {
  const hash = await hashFile(file)
  if (hash) hashes.set(file, hash)
  const sentBeforeWarning = hash && formatSentBeforeWarning(actions, hash)
  if (sentBeforeWarning) return sentBeforeWarning
  const sameFileJob =
    hash &&
    jobs.find(
      ({ file: other, state }) =>
        other !== file && state !== 'refused' && hashes.get(other) === hash,
    )
  if (sameFileJob)
    return sameFileJob.state === 'attached'
      ? `The same file is already attached. ${attachAgainWarning}`
      : `You already chose the same file: ${sameFileJob.file.name}.`
  const uploadActionByDocument = hash
    ? matchUploadActions(payment.documents, actions)
    : new Map<string, ActionView>()
  const hasSimilarDocument = payment.documents.some(
    ({ document_id, document_name, document_size }) =>
      !uploadActionByDocument.has(document_id) &&
      document_name === file.name &&
      document_size === file.size,
  )
  return hasSimilarDocument
    ? `A document with this name and size is already attached. ${attachAgainWarning}`
    : undefined
}

const proofResolver = createFormResolver<ProofValues>({
  schema: authorizationDetails,
  toInput: (values) => values,
})

/** States in which a file can be sent again. */
const retryableStates: readonly FileState[] = ['failed', 'cancelled', 'unknown']

const createUploadDraft = (): UploadDraft => ({
  queue: createFileQueue(),
  values: { authorized_by: '', authorized_on: '', method: '', note: '' },
  sent: new Map(),
  hashes: new WeakMap(),
})

/** `onAttached` is called after each upload. */
export type ProofUploadOptions = {
  kind: PaymentKind
  payment: Payment
  actions: readonly ActionView[]
  account: string | null
  correlationId: string
  onAttached: () => void
}

/**
 * Returns the upload queue of a payment and the form of its authorization details. Both keep their
 * content if the panel is closed.
 */
export function useProofUpload({
  kind,
  payment,
  actions,
  account,
  correlationId,
  onAttached,
}: ProofUploadOptions) {
  const operation = paymentOperations[kind].authorize
  const { environment } = usePageContext()
  const [draft] = useState(() => findUnfinishedUpload(operation, payment.id) ?? createUploadDraft())
  const form = useForm<ProofValues>({ resolver: proofResolver, defaultValues: draft.values })
  useEffect(() => {
    storeUploadDraft(operation, payment.id, draft)
    const storeTypedValues = ({ values }: { values: ProofValues }) => {
      draft.values = { ...values }
    }
    return form.subscribe({ formState: { values: true }, callback: storeTypedValues })
  }, [operation, payment.id, draft, form])
  const uploadMutation = useMutation({
    mutationFn: ({
      file,
      options,
    }: {
      operation: UploadOperationId
      file: File
      options: UploadOptions
    }) => uploadProofFile(operation, { id: payment.id }, file, options),
    meta: { environment },
  })
  const queue = useFileQueue(
    {
      room: 2,
      check: async (file) => {
        const fileProblem =
          findNameOrSizeProblem(file.name, file.size) ?? (await findContentProblem(file))
        if (fileProblem) return { problem: fileProblem }
        return {
          warning: await findDuplicateWarning(file, {
            payment,
            actions,
            jobs: draft.queue.jobs(),
            hashes: draft.hashes,
          }),
        }
      },
      send: async (file, { key, signal, onProgress }) => {
        // A retry under the same idempotency key must send the same details as the first attempt,
        // even if the fields changed since.
        const proofValues = draft.sent.get(key) ?? authorizationDetails.parse(draft.values)
        draft.sent.set(key, proofValues)
        const uploadScope = { environment, account, correlationId }
        const uploadAttempt = { idempotencyKey: key, signal, proof: proofValues, onProgress }
        const uploadOptions = { ...uploadScope, ...uploadAttempt }
        const uploadAnswer = await uploadMutation.mutateAsync({
          operation,
          file,
          options: uploadOptions,
        })
        return toUploadNote(paymentNouns[kind].one, uploadAnswer.data, file, uploadAnswer.replayed)
      },
      isDefinite: (error) => isCertainRefusal(error.code),
      onAttached,
    },
    draft.queue,
  )
  /**
   * True if the next request of a file sends the current fields. False if it repeats the values of
   * an earlier attempt.
   */
  const shouldSendCurrentFields = ({ state, key }: FileJob) =>
    unsentStates.includes(state) || (retryableStates.includes(state) && !draft.sent.has(key))
  const runIfValid = (callback: () => void) => void form.handleSubmit(callback)()
  const retryJob = (id: string) => {
    const job = queue.jobs.find((each) => each.id === id)
    if (job && shouldSendCurrentFields(job)) runIfValid(() => queue.retry(id))
    else queue.retry(id)
  }
  return {
    form,
    queue: { ...queue, retry: retryJob },
    onceSound: runIfValid,
    asksFields: queue.jobs.some(shouldSendCurrentFields),
  }
}

/**
 * Returns the first problem of a file's content, or null. If the script with the rules does not
 * load, only the server checks the file.
 */
async function findContentProblem(file: File): Promise<FileProblem | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fileCheckModule = await import('@/lib/domain/files/check-file').catch(() => null)
  return fileCheckModule ? fileCheckModule.checkFile(file.name, bytes) : null
}

function toUploadNote(
  paymentNoun: string,
  payment: Payment,
  file: File,
  replayed: boolean,
): string | undefined {
  // Find the document by name and size: uploads run in parallel, so the newest document may be
  // another file.
  const isDocumentListed = payment.documents.some(
    (document) =>
      document.document_name === file.name && (document.document_size ?? file.size) === file.size,
  )
  if (!isDocumentListed)
    return `Accepted, but the ${paymentNoun} does not list the document yet. Refresh the ${paymentNoun}.`
  return replayed
    ? 'This is the answer to the first attempt. The document was attached once.'
    : undefined
}
