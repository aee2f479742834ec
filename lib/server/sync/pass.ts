import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { log } from '@/lib/server/log'
import { mirrorAccounts, type SyncPhase } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { OutOfTimeError, type SyncPass } from './call'
import { readChanges } from './changes'
import { forgetDeletedCustomers } from './deleted-customers'
import { findUnassignedRowAccounts } from './find-accounts'
import { readHeldPayments } from './held-payments'
import { listSyncPlans, type SyncPlan } from './plans'
import { readResource } from './read-resource'
import {
  CursorConflictError,
  ensureProgress,
  listProgress,
  pauseSync,
  resumeSync,
  type SyncProgress,
} from './state'

/**
 * Pause between two full reads: 5 minutes, or 20 times the duration of the last full read if that
 * is longer.
 */
const fullReadPause = { least: 5 * 60_000, times: 20 }

const isFinished = ({ cursor, finishedAt }: SyncProgress): boolean =>
  cursor === null && finishedAt !== null

const getDurationMs = ({ startedAt, finishedAt }: SyncProgress): number =>
  Math.max(0, Number(finishedAt) - Number(startedAt))

/** `Math.abs` is for a clock that was set back, which must not block the next read. */
const isFinishedLongerThan = (milliseconds: number, { finishedAt }: SyncProgress): boolean =>
  Math.abs(Date.now() - Number(finishedAt)) > milliseconds

type SyncStep = { plan: SyncPlan; phase: SyncPhase }

/** Order: accounts, rows that need a person's decision, changes, first import of the others. */
function listSyncSteps(plans: readonly SyncPlan[]): SyncStep[] {
  const [accountsPlan, ...otherPlans] = plans
  return [
    ...(accountsPlan ? [{ plan: accountsPlan, phase: 'import' as const }] : []),
    ...plans.flatMap((plan): SyncStep[] => (plan.waiting ? [{ plan, phase: 'waiting' }] : [])),
    ...plans.flatMap((plan): SyncStep[] =>
      plan.changes.length > 0 ? [{ plan, phase: 'changes' }] : [],
    ),
    ...otherPlans.map((plan): SyncStep => ({ plan, phase: 'import' })),
  ]
}

type ProgressRows = Map<string, SyncProgress>
const toProgressKey = ({ resource }: Pick<SyncProgress, 'resource'>, phase: SyncPhase) =>
  `${resource} ${phase}`

/** With `forceFullRead`, a full read is due now. */
function isStepDue({ plan, phase }: SyncStep, rows: ProgressRows, forceFullRead: boolean): boolean {
  const row = rows.get(toProgressKey(plan, phase))
  const importRow = rows.get(toProgressKey(plan, 'import'))
  if (phase === 'waiting' || phase === 'import') return !row || !isFinished(row)
  if (!importRow || !isFinished(importRow)) return false
  if (phase === 'changes') return row !== undefined
  if (forceFullRead || row?.cursor) return true
  const lastFinishedRow = row?.finishedAt ? row : importRow
  return isFinishedLongerThan(
    Math.max(fullReadPause.least, getDurationMs(lastFinishedRow) * fullReadPause.times),
    lastFinishedRow,
  )
}

const isPaused = ({ retryAt }: SyncProgress): boolean =>
  retryAt !== null && retryAt.getTime() > Date.now()

async function readAccountIds(environment: Environment): Promise<string[]> {
  const db = await getDatabase()
  const accountRows = await db
    .select({ id: mirrorAccounts.id })
    .from(mirrorAccounts)
    .where(eq(mirrorAccounts.environment, environment))
  return accountRows.map(({ id }) => id).sort()
}

/** Codes of errors that pause one resource and not the whole environment. */
const resourceOnlyErrorCodes = new Set([
  'service_forbidden',
  'service_refused',
  'service_not_found',
])

/** Pauses the resource or the environment. Returns true if other steps can continue. */
async function pauseAfterFailure(
  error: unknown,
  plan: SyncPlan,
  row: SyncProgress,
): Promise<boolean> {
  if (!(error instanceof AppError)) throw error
  const shouldPauseOnlyResource = resourceOnlyErrorCodes.has(error.code)
  log.warn({
    event: 'sync.paused',
    environment: row.environment,
    operation: plan.operation,
    code: error.code,
  })
  await pauseSync(shouldPauseOnlyResource ? row : row.environment, error.code, error.retryAfter)
  return shouldPauseOnlyResource
}

async function readStepObjects(
  { plan, phase }: SyncStep,
  pass: SyncPass,
  row: SyncProgress,
): Promise<void> {
  if (phase === 'changes') return readChanges(pass, plan, row)
  const { startedAt } = await readResource(pass, plan, row, await readAccountIds(pass.environment))
  if (phase === 'full' && plan.resource === 'customers' && startedAt)
    await forgetDeletedCustomers(pass, startedAt)
}

/** Returns true if other steps can continue. */
async function runSyncStep(
  step: SyncStep,
  pass: SyncPass,
  storedRow: SyncProgress | undefined,
): Promise<boolean> {
  const row = storedRow ?? (await ensureProgress(pass.environment, step.plan.resource, step.phase))
  if (isPaused(row)) return true
  try {
    await readStepObjects(step, pass, row)
    if (row.pausedReason) await resumeSync(pass.environment)
    return true
  } catch (error) {
    return pauseAfterFailure(error, step.plan, row)
  }
}

const listImportedResources = async (environment: Environment): Promise<string[]> =>
  (await listProgress(environment)).flatMap((row) =>
    row.phase === 'import' && isFinished(row) ? row.resource : [],
  )

const isEnvironmentPaused = (row: SyncProgress): boolean =>
  isPaused(row) && !resourceOnlyErrorCodes.has(row.pausedReason ?? '')

/** Returns false if the environment was paused. */
async function runSyncSteps(
  candidates: readonly SyncStep[],
  pass: SyncPass,
  forceFullRead: boolean,
): Promise<boolean> {
  const readProgressRows = async (): Promise<ProgressRows> =>
    new Map(
      (await listProgress(pass.environment)).map((row) => [toProgressKey(row, row.phase), row]),
    )
  let progressRows = await readProgressRows()
  for (const step of candidates) {
    if (!isStepDue(step, progressRows, forceFullRead)) continue
    if (!(await runSyncStep(step, pass, progressRows.get(toProgressKey(step.plan, step.phase)))))
      return false
    progressRows = await readProgressRows()
    if (
      step.phase === 'import' &&
      (await listImportedResources(pass.environment)).length ===
        listSyncPlans(pass.environment).length
    ) {
      log.info({ event: 'mirror.imported', environment: pass.environment })
    }
  }
  return true
}

async function runDueSyncSteps(pass: SyncPass, forceFullRead: boolean): Promise<void> {
  const { environment } = pass
  if ((await listProgress(environment)).some(isEnvironmentPaused)) return
  await readHeldPayments(pass)
  const plans = listSyncPlans(environment)
  if (!(await runSyncSteps(listSyncSteps(plans), pass, forceFullRead))) return
  await findUnassignedRowAccounts(
    pass,
    await listImportedResources(environment),
    await readAccountIds(environment),
  )
  const fullReadSteps = plans.map((plan): SyncStep => ({ plan, phase: 'full' }))
  if (await runSyncSteps(fullReadSteps, pass, forceFullRead)) await readHeldPayments(pass)
}

/**
 * With `again`, all full reads are due. Returns `more` if the time was not enough. A pass that ends
 * early loses nothing, because each page is committed with its cursor.
 */
export async function runSyncPass(
  pass: SyncPass,
  { again = false } = {},
): Promise<'done' | 'more'> {
  try {
    await runDueSyncSteps(pass, again)
    return 'done'
  } catch (error) {
    if (error instanceof OutOfTimeError) return 'more'
    if (error instanceof CursorConflictError) return 'done'
    throw error
  }
}
