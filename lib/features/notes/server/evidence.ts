import 'server-only'
import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { leavesOf } from '@/lib/server/actions/compared'
import { seenIn } from '@/lib/server/actions/seen'
import { joined, viewsOf } from '@/lib/server/actions/views'
import { recordAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import { auditField, jsonLineOf } from '@/lib/server/audit/rows'
import { type Manifest, signedZip } from '@/lib/server/audit/signed-zip'
import { accountText, scopeOf } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readNow } from '@/lib/server/http/compare'
import { download, readPage, streamOf } from '@/lib/server/http/downloads'
import { fileAnswer } from '@/lib/server/http/file-answer'
import { notesOn } from '@/lib/server/notes/notes'
import { actions } from '@/lib/server/store/schema/actions'
import { audit } from '@/lib/server/store/schema/audit'
import { type Db, database } from '@/lib/server/store/store'

/** Maximum number of actions in the file; it contains the newest. The manifest has the number of all actions. */
const mostActions = 200

type Wanted = { actor: Actor; environment: Environment; target: string; account: string; requestId: string }

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the record as the service returns it now, with masked values. If the read fails, `unread` is the reason. */
async function recordNow({ actor, environment, target, account }: Wanted) {
  const at = new Date().toISOString()
  try {
    return { read_at: at, record: await readNow(target, scopeOf(actor, environment, account)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { read_at: at, record: null, unread: error.message }
  }
}

const actionsOn = ({ environment, target }: Wanted) => and(eq(actions.environment, environment), eq(actions.target, target))

/** Returns the newest actions on the record. `seen` is the record as the screen showed it when the person decided. */
async function decisionsOn(db: Db, wanted: Wanted) {
  const rows = await joined(db).where(actionsOn(wanted)).orderBy(desc(actions.createdAt)).limit(mostActions)
  const views = await viewsOf(db, rows, wanted.actor.id)
  return views.map(({ own: _, others_can_decide: __, ...view }, at) => {
    const action = rows[at]?.action
    const snapshot = action ? seenIn(action) : null
    return {
      ...view,
      body_sha256: action?.bodySha256 ?? null,
      snapshot_sha256: action?.snapshotHash ?? null,
      seen: snapshot === null ? null : Object.fromEntries(leavesOf(snapshot)),
    }
  })
}

/** Returns the audit rows about the record or its actions, exactly as the chain contains them. */
async function auditRowsOn(db: Db, target: string, actionIds: readonly string[]) {
  const about = eq(auditField('target'), target)
  return db
    .select()
    .from(audit)
    .where(actionIds.length > 0 ? or(about, inArray(auditField('action'), [...actionIds])) : about)
    .orderBy(asc(audit.seq))
}

async function evidenceFile(wanted: Wanted, end: () => void): Promise<Response> {
  const { actor, environment, target, account, requestId } = wanted
  const about = { environment, account, target }
  await recordAudit({ code: 'notes.evidence.start', ...doneBy(actor), ...about })
  const db = await database()
  const [record, notes] = [await recordNow(wanted), await notesOn(db, environment, target)]
  const decisions = await readPage(() => decisionsOn(db, wanted))
  const onRecord = await db.$count(actions, actionsOn(wanted))
  const actionIds = decisions.map(({ id }) => id)
  const rows = await readPage(() => auditRowsOn(db, target, actionIds))
  const documents = decisions.flatMap(({ id, file, proof, created_at: at }) => (file ? [{ action: id, at, ...file, proof }] : []))
  const written = notes.map(({ note, author, text, withdrawer }) => ({
    id: note.id,
    author,
    at: note.createdAt.toISOString(),
    text,
    withdrawn_by: withdrawer,
  }))
  const madeAt = new Date().toISOString()
  const manifest = (): Manifest => ({
    format: 'paydesk-evidence-1',
    made_at: madeAt,
    made_by: { id: actor.id, name: actor.name },
    environment,
    account: accountText(account),
    target,
    decisions: decisions.length,
    decisions_on_record: onRecord,
    notes: written.length,
    rows: rows.length,
  })
  const files = [
    { name: 'record.json', parts: [json(record)] },
    ...decisions.map((decision) => ({ name: `decisions/${decision.id}.json`, parts: [json(decision)] })),
    { name: 'documents.json', parts: [json(documents)] },
    { name: 'notes.json', parts: [json(written)] },
    { name: 'audit.jsonl', parts: rows.map(jsonLineOf) },
  ]
  async function* recorded() {
    yield* signedZip(files, manifest)
    await recordAudit({ code: 'notes.evidence.applied', ...doneBy(actor), ...about, written: rows.length })
  }
  return fileAnswer(streamOf(recorded(), end), { name: `evidence-${target.replace('/', '-')}.zip`, type: 'application/zip', requestId })
}

/**
 * Returns the evidence of the decisions on one record as a signed zip: the record, each decision with the data it was based on, hashes of
 * documents, notes, and audit rows. The start is audited before the first byte, and the end after the last. Throws `too_many` while another
 * download of the person runs.
 */
export const evidenceOf = (wanted: Wanted): Promise<Response> => download(wanted.actor.id, (end) => evidenceFile(wanted, end))
