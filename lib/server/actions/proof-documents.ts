import 'server-only'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { DecisionDocument, ProofDocument } from '@/lib/operations/documents'
import { toAuditFieldSql } from '@/lib/server/audit/rows'
import { actions, filePayloads } from '@/lib/server/store/schema/actions'
import { audit } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { decryptAuthorizationDetails } from './authorization-details'
import { toDocumentCopy } from './payload-copies'

export type PaymentTarget = { environment: Environment; target: string }

type StoredDocument = {
  action: Action
  file: typeof filePayloads.$inferSelect
  uploader: string
}

const selectDocuments = (db: Db) =>
  db
    .select({ action: actions, file: filePayloads, uploader: people.name })
    .from(actions)
    .innerJoin(filePayloads, eq(filePayloads.id, actions.payloadId))
    .innerJoin(people, eq(people.id, actions.actorId))

/** Returns the attached document of an upload; null if the upload was not applied. */
export async function findStoredDocument(
  db: Db,
  environment: Environment,
  id: string,
): Promise<StoredDocument | null> {
  const [row] = await selectDocuments(db).where(
    and(eq(actions.id, id), eq(actions.environment, environment), eq(actions.state, 'applied')),
  )
  return row ?? null
}

/** Newest first. */
const listStoredDocuments = (db: Db, { environment, target }: PaymentTarget) =>
  selectDocuments(db)
    .where(
      and(
        eq(actions.environment, environment),
        eq(actions.target, target),
        eq(actions.state, 'applied'),
      ),
    )
    .orderBy(desc(actions.createdAt))

/**
 * Returns when the person last opened each document of the payment (ISO time by document). It is
 * in the audit rows, which cannot be changed.
 */
async function readOpeningTimes(
  db: Db,
  { environment, target }: PaymentTarget,
  personId: string,
): Promise<ReadonlyMap<string | null, string>> {
  const documentId = toAuditFieldSql('action')
  const openings = await db
    .select({ documentId, at: sql<string>`max(${toAuditFieldSql('at')})` })
    .from(audit)
    .where(
      and(
        eq(toAuditFieldSql('target'), target),
        eq(toAuditFieldSql('environment'), environment),
        eq(toAuditFieldSql('code'), 'documents.read.applied'),
        eq(toAuditFieldSql('actor'), personId),
      ),
    )
    .groupBy(documentId)
  return new Map(openings.map((row) => [row.documentId, new Date(row.at).toISOString()]))
}

/**
 * Returns the documents of a payment that were uploaded through Paydesk, newest first, and when the
 * person last opened each. `isVisible` decides by the account of the upload.
 */
export async function listProofDocuments(
  db: Db,
  paymentTarget: PaymentTarget,
  personId: string,
  isVisible: (accountId: string | null) => boolean,
): Promise<ProofDocument[]> {
  const storedDocuments = (await listStoredDocuments(db, paymentTarget)).filter(({ action }) =>
    isVisible(action.accountId),
  )
  if (storedDocuments.length === 0) return []
  const openedAtByDocument = await readOpeningTimes(db, paymentTarget, personId)
  return storedDocuments.map(({ action, file, uploader }) => ({
    id: action.id,
    name: file.name,
    size: file.size,
    sha256: file.sha256 ?? '',
    uploaded_by: uploader,
    uploaded_at: action.createdAt.toISOString(),
    proof: decryptAuthorizationDetails(action),
    copy: toDocumentCopy(file),
    opened_at: openedAtByDocument.get(action.id) ?? null,
  }))
}

/**
 * Returns the documents of the payment of an action, and when the person who decides on the action
 * last opened each. Empty if the target is no payment.
 */
export async function listDecisionDocuments(
  db: Db,
  actionId: string,
  personId: string,
): Promise<DecisionDocument[]> {
  const [action] = await db
    .select({ environment: actions.environment, target: actions.target })
    .from(actions)
    .where(eq(actions.id, actionId))
  if (!action?.target) return []
  const documents = await listProofDocuments(
    db,
    { environment: action.environment, target: action.target },
    personId,
    () => true,
  )
  return documents.map(({ id, sha256, opened_at }) => ({ id, sha256, opened_at }))
}
