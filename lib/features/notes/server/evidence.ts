import 'server-only'
import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { flattenFields } from '@/lib/server/actions/compare-fields'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { selectActions, toActionViews } from '@/lib/server/actions/views'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { toAuditFieldSql, toJsonLine } from '@/lib/server/audit/rows'
import { createSignedZip, type Manifest } from '@/lib/server/audit/signed-zip'
import { formatAccountId, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readTargetFromService } from '@/lib/server/http/compare'
import { readPageInOrder, runDownload, toDownloadStream } from '@/lib/server/http/downloads'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { listNotes } from '@/lib/server/notes/notes'
import { actions } from '@/lib/server/store/schema/actions'
import { audit } from '@/lib/server/store/schema/audit'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** If a record has more, the file contains the newest, and the manifest the number of all. */
const maxEvidenceActions = 200

type EvidenceRequest = {
  actor: Actor
  environment: Environment
  target: string
  account: string | null
  requestId: string
}

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Reads the record with masked values. If the read fails, `unread` is the reason. */
async function readCurrentRecord({ actor, environment, target, account }: EvidenceRequest) {
  const readAt = new Date().toISOString()
  try {
    return {
      read_at: readAt,
      record: await readTargetFromService(target, requireScope(actor, environment, account)),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { read_at: readAt, record: null, unread: error.message }
  }
}

const toActionsCondition = ({ environment, target }: EvidenceRequest) =>
  and(eq(actions.environment, environment), eq(actions.target, target))

/** `seen`: the record as the screen showed it when the person decided. */
async function readDecisions(db: Db, evidenceRequest: EvidenceRequest) {
  const actionRows = await selectActions(db)
    .where(toActionsCondition(evidenceRequest))
    .orderBy(desc(actions.createdAt))
    .limit(maxEvidenceActions)
  const actionViews = await toActionViews(db, actionRows, evidenceRequest.actor.id)
  return actionViews.map(({ own: _, others_can_decide: __, ...view }, at) => {
    const action = actionRows[at]?.action
    const seenObject = action ? decryptSeenObject(action) : null
    return {
      ...view,
      body_sha256: action?.bodySha256 ?? null,
      snapshot_sha256: action?.snapshotHash ?? null,
      seen: seenObject === null ? null : Object.fromEntries(flattenFields(seenObject)),
    }
  })
}

/** Rows stay exactly as the audit chain contains them. */
async function readAuditRows(db: Db, target: string, actionIds: readonly string[]) {
  const targetCondition = eq(toAuditFieldSql('target'), target)
  return db
    .select()
    .from(audit)
    .where(
      actionIds.length > 0
        ? or(targetCondition, inArray(toAuditFieldSql('action'), [...actionIds]))
        : targetCondition,
    )
    .orderBy(asc(audit.seq))
}

async function createEvidenceFile(
  evidenceRequest: EvidenceRequest,
  endDownload: () => void,
): Promise<Response> {
  const { actor, environment, target, account, requestId } = evidenceRequest
  const auditScope = { environment, account, target }
  await recordAudit({ code: 'notes.evidence.start', ...toActorFields(actor), ...auditScope })
  const db = await getDatabase()
  const [record, notes] = [
    await readCurrentRecord(evidenceRequest),
    await listNotes(db, environment, target),
  ]
  const decisions = await readPageInOrder(() => readDecisions(db, evidenceRequest))
  const actionCount = await db.$count(actions, toActionsCondition(evidenceRequest))
  const actionIds = decisions.map(({ id }) => id)
  const auditRows = await readPageInOrder(() => readAuditRows(db, target, actionIds))
  const uploadedDocuments = decisions.flatMap(({ id, file, proof, created_at: at }) =>
    file ? [{ action: id, at, ...file, proof }] : [],
  )
  const noteEntries = notes.map(({ note, author, text, withdrawer }) => ({
    id: note.id,
    author,
    at: note.createdAt.toISOString(),
    text,
    withdrawn_by: withdrawer,
  }))
  const madeAt = new Date().toISOString()
  const createManifest = (): Manifest => ({
    format: 'paydesk-evidence-1',
    made_at: madeAt,
    made_by: { id: actor.id, name: actor.name },
    environment,
    account: formatAccountId(account),
    target,
    decisions: decisions.length,
    decisions_on_record: actionCount,
    notes: noteEntries.length,
    rows: auditRows.length,
  })
  const zipEntries = [
    { name: 'record.json', parts: [formatJson(record)] },
    ...decisions.map((decision) => ({
      name: `decisions/${decision.id}.json`,
      parts: [formatJson(decision)],
    })),
    { name: 'documents.json', parts: [formatJson(uploadedDocuments)] },
    { name: 'notes.json', parts: [formatJson(noteEntries)] },
    { name: 'audit.jsonl', parts: auditRows.map(toJsonLine) },
  ]
  async function* streamZipAndRecordEnd() {
    yield* createSignedZip(zipEntries, createManifest)
    await recordAudit({
      code: 'notes.evidence.applied',
      ...toActorFields(actor),
      ...auditScope,
      written: auditRows.length,
    })
  }
  return createFileResponse(toDownloadStream(streamZipAndRecordEnd(), endDownload), {
    name: `evidence-${target.replace('/', '-')}.zip`,
    type: 'application/zip',
    requestId,
  })
}

/**
 * Returns a signed zip. The audit log records the start of the download before its first byte, and
 * the end after its last one. Throws `too_many` while another download of the person runs.
 */
export const exportEvidence = (evidenceRequest: EvidenceRequest): Promise<Response> =>
  runDownload(evidenceRequest.actor.id, (end) => createEvidenceFile(evidenceRequest, end))
