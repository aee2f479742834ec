import 'server-only'
import { canBeShown } from '@/lib/domain/files/rules'
import { AppError } from '@/lib/errors'
import { missingCopyTexts } from '@/lib/features/payments/labels'
import { toDocumentCopy } from '@/lib/server/actions/payload-copies'
import { readPayloadChunks, requireReadablePayload } from '@/lib/server/actions/payloads'
import { findStoredDocument, listProofDocuments } from '@/lib/server/actions/proof-documents'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { DeskCall, DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { toDownloadStream } from '@/lib/server/http/downloads'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { createLimitError } from '@/lib/server/service/answer'
import { consumeReadQuota } from '@/lib/server/service/read-quota'
import { UnknownKeyError } from '@/lib/server/store/encryption'
import { getDatabase } from '@/lib/server/store/store'

const createMissingError = () => new AppError('not_found', 'There is no such document')

/** Throws `not_found` also if the person has no role in the account of the payment. */
async function findVisibleDocument({
  actor,
  environment,
  input,
  about,
}: DeskCall<'documents.read'>) {
  const document = await findStoredDocument(await getDatabase(), environment, input.id)
  const isVisible =
    document && getRolesIn(actor.grants, environment, document.action.accountId).length > 0
  if (!isVisible) throw createMissingError()
  about({ account: document.action.accountId, target: document.action.target })
  return document
}

type StoredFile = Awaited<ReturnType<typeof findVisibleDocument>>['file']

async function requireCopy({ id, ...file }: StoredFile): Promise<void> {
  const copy = toDocumentCopy(file)
  if (copy !== 'kept') throw new AppError('not_found', missingCopyTexts[copy])
  await requireReadablePayload(id).catch((error: unknown) => {
    throw error instanceof UnknownKeyError
      ? new AppError('not_found', 'The key that encrypted this copy is lost.')
      : error
  })
}

async function requireReadQuota(personId: string): Promise<void> {
  const secondsToWait = await consumeReadQuota(personId)
  if (secondsToWait > 0) throw createLimitError('over_quota', secondsToWait)
}

/** Throws after the last chunk if one is missing, so that no browser takes a part for the whole. */
async function* readWholeFile({ id, size }: Pick<StoredFile, 'id' | 'size'>) {
  let sentSize = 0
  for await (const chunk of readPayloadChunks(id)) {
    sentSize += chunk.length
    yield chunk
  }
  if (sentSize !== size) throw new Error('a chunk of a stored file is missing')
}

/** Writes the audit row before the first byte: without the row, no content is returned. */
async function openDocument(call: DeskCall<'documents.read'>): Promise<Response> {
  const document = await findVisibleDocument(call)
  const { action, file } = document
  await requireReadQuota(call.actor.id)
  await requireCopy(document.file)
  await recordAudit({
    code: 'documents.read.applied',
    ...toActorFields(call.actor),
    environment: call.environment,
    account: action.accountId,
    target: action.target,
    action: action.id,
    ...(file.sha256 ? { body_sha256: file.sha256 } : {}),
  })
  return createFileResponse(
    toDownloadStream(readWholeFile(file), () => undefined),
    {
      name: file.name,
      type: file.contentType,
      requestId: call.requestId,
      disposition: canBeShown(file.contentType) ? 'inline' : 'attachment',
    },
  )
}

export const documentHandlers: DeskOperationHandlers<'documents.list' | 'documents.read'> = {
  'documents.list': async ({ actor, environment, input: { resource, record } }) => ({
    data: await listProofDocuments(
      await getDatabase(),
      { environment, target: `${resource}/${record}` },
      actor.id,
      (accountId) => getRolesIn(actor.grants, environment, accountId).length > 0,
    ),
  }),
  'documents.read': openDocument,
}
