import { buildRequestParts } from '@/lib/operations/layout'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import type { Output } from '@/lib/operations/registry'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { serviceApiPath } from '@/lib/routes'
import { type CallAnswer, type CallOptions, parseCallAnswer, toCallHeaders } from './call'
import { CallError } from './call-error'
import { getPagePersonHeader } from './drawn-for'

export type UploadOperationId = 'payouts.authorize' | 'charges.authorize'

const createCancelledError = () =>
  new CallError('not_sent', 'Canceled before the file was complete.', { local: true })

const createConnectionLostError = () =>
  new CallError(
    'not_sent',
    'The connection broke before the file was complete, so the file is not attached. Try again.',
    { local: true },
  )

/** `onProgress` gets the sent fraction, 0 to 1. At 1, the response is still pending. */
export type UploadOptions = CallOptions & {
  proof: AuthorizationDetails
  onProgress?: (share: number) => void
}

/**
 * Sends the file as the multipart part `File` (interface document, "Upload an authorization
 * document"). Uses XMLHttpRequest, because fetch does not report upload progress. After an abort or
 * a broken connection, rejects with a `CallError`: `not_sent` if the file was not complete,
 * `outcome_unknown` if all bytes were sent.
 */
export function uploadProofFile<K extends UploadOperationId>(
  id: K,
  input: { id: string },
  file: File,
  options: UploadOptions,
): Promise<CallAnswer<Output<K>>> {
  const { method, path, query } = buildRequestParts(
    { id, definition: getServiceOperation(id) },
    input,
  )
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const sentAt = performance.now()
    let isFullySent = false
    xhr.open(method, serviceApiPath(options.environment, path, query, options.account))
    xhr.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries({
      ...getPagePersonHeader(),
      ...toCallHeaders(options),
    }))
      xhr.setRequestHeader(name, value)
    xhr.setRequestHeader('Action-Proof', toProofHeader(options.proof))
    xhr.upload.onprogress = (event) =>
      options.onProgress?.(
        event.lengthComputable && event.total > 0 ? event.loaded / event.total : 0,
      )
    xhr.upload.onload = () => {
      isFullySent = true
      options.onProgress?.(1)
    }
    xhr.onload = () => {
      const isReplayed = xhr.getResponseHeader('idempotent-replayed') === 'true'
      try {
        const rawAnswer = {
          status: xhr.status,
          text: xhr.responseText,
          replayed: isReplayed,
          sentAt,
        }
        resolve(parseCallAnswer<Output<K>>(rawAnswer, true, options.environment))
      } catch (error) {
        reject(error)
      }
    }
    xhr.onerror = () => reject(isFullySent ? CallError.noAnswer(true) : createConnectionLostError())
    xhr.onabort = () => reject(isFullySent ? CallError.noAnswer(true) : createCancelledError())
    options.signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    if (options.signal?.aborted) return reject(createCancelledError())
    const uploadForm = new FormData()
    uploadForm.append('File', file, file.name)
    xhr.send(uploadForm)
  })
}

/** Percent-encoded, because a header can contain only ASCII. */
const toProofHeader = ({ note, ...fields }: AuthorizationDetails): string =>
  new URLSearchParams({ ...fields, ...(note ? { note } : {}) }).toString()
