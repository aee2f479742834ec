import 'server-only'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { countMissingProofKeys } from '@/lib/server/actions/authorization-details'
import { startAnswerEraser } from '@/lib/server/actions/erase'
import { countMissingPayloadKeys } from '@/lib/server/actions/payload-copies'
import { startActionResolver } from '@/lib/server/actions/resolver'
import { startApprovalExpiry } from '@/lib/server/approvals/end-request'
import { startHeadSigning } from '@/lib/server/audit/heads'
import { flushRefusals } from '@/lib/server/audit/refusals'
import { archiveOutdatedHeads } from '@/lib/server/audit/restore'
import { startSignInPruning } from '@/lib/server/auth/failed-tries'
import { ensureDemoPeople } from '@/lib/server/auth/people'
import { startStepUpPruning } from '@/lib/server/auth/step-up/challenges'
import { countUndecryptableSecrets, reencryptTotpSecrets } from '@/lib/server/auth/step-up/totp'
import { env } from '@/lib/server/config/env'
import { requireRegistrations, startJobs } from '@/lib/server/http/registration'
import { startRequestLog } from '@/lib/server/http/request-log'
import { startPaymentPruning } from '@/lib/server/mirror/retention'
import { countUndecryptableNotes } from '@/lib/server/notes/notes'
import { decrypt, isLostKeyError, UnknownKeyError } from '@/lib/server/store/encryption'
import { loadPseudonymKey } from '@/lib/server/store/hashes'
import { actions, filePayloadChunks } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { startSync } from '@/lib/server/sync/start-sync'
import { startWebhookWorker } from '@/lib/server/webhooks/worker'
import { log } from './log'
import { startTraces } from './traces'

/** The start decrypts at most this many request bodies and files of open actions as a check. */
const maxKeyCheckRows = 1000

const describeKey = (keyId: string) =>
  keyId === 'auth-secret' ? 'the AUTH_SECRET from before it was changed' : `the key ${keyId}`

const formatMissingKey = (keyId: string, usageText: string) =>
  `ENCRYPTION_KEY_PREVIOUS: must hold ${describeKey(keyId)}, ${usageText}. If it is permanently lost, put ${keyId} into ENCRYPTION_KEY_LOST`

/** Counts the open actions that need an encryption key that is not configured, per key id. */
async function countUndecryptableActions(db: Db): Promise<Map<string, number>> {
  const isOpenAction = inArray(actions.state, ['awaiting_approval', 'sending', 'unknown'])
  const actionBodies = await db
    .select({ id: actions.id, body: actions.body })
    .from(actions)
    .where(and(isOpenAction, isNotNull(actions.body)))
    .limit(maxKeyCheckRows)
  const firstFileChunks = await db
    .select({ id: filePayloadChunks.payloadId, body: filePayloadChunks.bytes })
    .from(filePayloadChunks)
    .innerJoin(actions, eq(actions.payloadId, filePayloadChunks.payloadId))
    .where(and(isOpenAction, eq(filePayloadChunks.number, 0)))
    .limit(maxKeyCheckRows)
  const actionCountByKey = new Map<string, number>()
  const countIfKeyMissing = (encrypted: Buffer, place: string) => {
    try {
      decrypt(encrypted, place)
    } catch (error) {
      if (error instanceof UnknownKeyError && !isLostKeyError(error))
        actionCountByKey.set(error.keyId, (actionCountByKey.get(error.keyId) ?? 0) + 1)
    }
  }
  for (const { id, body } of actionBodies) if (body) countIfKeyMissing(body, `actions/${id}/body`)
  for (const { id, body } of firstFileChunks) countIfKeyMissing(body, `payload_chunks/${id}/0`)
  return actionCountByKey
}

/**
 * Throws one line per encryption key that is not configured, although data in the store needs it.
 * Also loads the pseudonym key.
 */
async function requireStoreKeys(db: Db): Promise<void> {
  await loadPseudonymKey(db).catch((error: unknown) => {
    throw error instanceof UnknownKeyError
      ? new Error(formatMissingKey(error.keyId, 'which this store was last used with'))
      : error
  })
  const listMissingKeyLines = (keyCounts: Map<string, number>, rowKind: string) =>
    [...keyCounts].map(([keyId, count]) =>
      formatMissingKey(keyId, `under which ${count} ${rowKind} are encrypted`),
    )
  const missingKeyLines = [
    ...listMissingKeyLines(await countUndecryptableActions(db), 'open actions'),
    ...listMissingKeyLines(await countMissingProofKeys(db), 'details of authorization proofs'),
    ...listMissingKeyLines(await countMissingPayloadKeys(db), 'copies of authorization proofs'),
    ...listMissingKeyLines(await countUndecryptableSecrets(db), 'authenticator apps'),
    ...listMissingKeyLines(await countUndecryptableNotes(db), 'notes'),
  ]
  if (missingKeyLines.length > 0) throw new Error(missingKeyLines.join('\n'))
}

async function boot(): Promise<void> {
  env()
  await startTraces()
  requireRegistrations()
  await requireStoreKeys(await getDatabase())
  await ensureDemoPeople()
  await reencryptTotpSecrets()
  await archiveOutdatedHeads(await getDatabase())
  const auditHeadSigning = startHeadSigning()
  const actionAnswerEraser = startAnswerEraser()
  const actionResolver = startActionResolver()
  const approvalExpiry = startApprovalExpiry()
  const backgroundJobs = startJobs()
  const requestLog = startRequestLog()
  const sync = startSync()
  const paymentPruning = startPaymentPruning()
  const signInPruning = startSignInPruning()
  const stepUpPruning = startStepUpPruning()
  const webhookWorker = startWebhookWorker()
  // Stops only the background jobs. Requests in progress still need the store and the service until
  // the process exits.
  const stopJobs = () => {
    auditHeadSigning.stop()
    actionAnswerEraser.stop()
    actionResolver.stop()
    approvalExpiry.stop()
    backgroundJobs.stop()
    requestLog.stop()
    sync.stop()
    paymentPruning.stop()
    flushRefusals()
    signInPruning.stop()
    stepUpPruning.stop()
    webhookWorker.stop()
  }
  process.once('SIGTERM', stopJobs)
  process.once('SIGINT', stopJobs)
  log.info({ event: 'started' })
}

/** If the start fails, prints one line per problem and exits. */
export async function bootOrExit(): Promise<void> {
  try {
    await boot()
  } catch (error) {
    process.stderr.write(
      `Paydesk cannot start: ${error instanceof Error ? error.message : 'unknown reason'}\n`,
    )
    process.exit(1)
  }
}
