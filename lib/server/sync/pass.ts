import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { log } from '@/lib/server/log'
import { mirrorAccounts, type SyncPhase } from '@/lib/server/store/schema/mirror'
import { database } from '@/lib/server/store/store'
import { OutOfTime, type Pass } from './call'
import { readChanges } from './changes'
import { findAccounts } from './find-accounts'
import { readHeld } from './held'
import { type Plan, plans } from './plans'
import { Overtaken, type Progress, pause, resume, rowOf, rowsOf } from './state'
import { forgetVanished } from './vanished'
import { walk } from './walk'

/** Pause between full reads of a resource: 5 minutes, or 20 times the duration of the last one if that is longer. */
const rest = { least: 5 * 60_000, times: 20 }

const isFinished = ({ cursor, finishedAt }: Progress): boolean => cursor === null && finishedAt !== null

const tookMs = ({ startedAt, finishedAt }: Progress): number => Math.max(0, Number(finishedAt) - Number(startedAt))

/** True if the last read finished this long ago. `Math.abs` is for a clock that was set back, which must not block the next read. */
const isOver = (milliseconds: number, { finishedAt }: Progress): boolean => Math.abs(Date.now() - Number(finishedAt)) > milliseconds

type Step = { plan: Plan; phase: SyncPhase }

/** Steps before a full read, in order: accounts, rows that need a person's decision, changes, the first import of other resources. */
const steps: readonly Step[] = [
  { plan: plans[0] as Plan, phase: 'import' },
  ...plans.flatMap((plan): Step[] => (plan.waiting ? [{ plan, phase: 'waiting' }] : [])),
  ...plans.flatMap((plan): Step[] => (plan.changes.length > 0 ? [{ plan, phase: 'changes' }] : [])),
  ...plans.slice(1).map((plan): Step => ({ plan, phase: 'import' })),
]
const stepsAgain: readonly Step[] = plans.map((plan) => ({ plan, phase: 'full' }))

type Rows = Map<string, Progress>
const keyOf = ({ resource }: Pick<Progress, 'resource'>, phase: SyncPhase) => `${resource} ${phase}`

/** True if the step has work to do. `again` makes a full read due now. */
function isDue({ plan, phase }: Step, rows: Rows, again: boolean): boolean {
  const row = rows.get(keyOf(plan, phase))
  const imported = rows.get(keyOf(plan, 'import'))
  if (phase === 'waiting' || phase === 'import') return !row || !isFinished(row)
  if (!imported || !isFinished(imported)) return false
  if (phase === 'changes') return row !== undefined
  if (again || row?.cursor) return true
  const last = row?.finishedAt ? row : imported
  return isOver(Math.max(rest.least, tookMs(last) * rest.times), last)
}

const isPaused = ({ retryAt }: Progress): boolean => retryAt !== null && retryAt.getTime() > Date.now()

async function accountsIn(environment: Environment): Promise<string[]> {
  const db = await database()
  const rows = await db.select({ id: mirrorAccounts.id }).from(mirrorAccounts).where(eq(mirrorAccounts.environment, environment))
  return rows.map(({ id }) => id).sort()
}

/** Codes of errors that pause one resource and not the whole environment. */
const ofOneResource = new Set(['service_forbidden', 'service_refused', 'service_not_found'])

/** Logs a failed step and pauses its resource or its environment. Returns true if other steps can continue. */
async function note(error: unknown, plan: Plan, row: Progress): Promise<boolean> {
  if (!(error instanceof AppError)) throw error
  const alone = ofOneResource.has(error.code)
  log.warn({ event: 'sync.paused', environment: row.environment, operation: plan.operation, code: error.code })
  await pause(alone ? row : row.environment, error.code, error.retryAfter)
  return alone
}

async function take({ plan, phase }: Step, pass: Pass, row: Progress): Promise<void> {
  if (phase === 'changes') return readChanges(pass, plan, row)
  const { startedAt } = await walk(pass, plan, row, await accountsIn(pass.environment))
  if (phase === 'full' && plan.resource === 'customers' && startedAt) await forgetVanished(pass, startedAt)
}

/** Runs one step from its cursor. Returns true if other steps can continue. */
async function run(step: Step, pass: Pass, known: Progress | undefined): Promise<boolean> {
  const row = known ?? (await rowOf(pass.environment, step.plan.resource, step.phase))
  if (isPaused(row)) return true
  try {
    await take(step, pass, row)
    if (row.pausedReason) await resume(pass.environment)
    return true
  } catch (error) {
    return note(error, step.plan, row)
  }
}

const importedIn = async (environment: Environment): Promise<string[]> =>
  (await rowsOf(environment)).flatMap((row) => (row.phase === 'import' && isFinished(row) ? row.resource : []))

const isPausedWhole = (row: Progress): boolean => isPaused(row) && !ofOneResource.has(row.pausedReason ?? '')

/** Runs the steps that are due. Returns false if the environment was paused. */
async function runSteps(some: readonly Step[], pass: Pass, again: boolean): Promise<boolean> {
  const readRows = async (): Promise<Rows> => new Map((await rowsOf(pass.environment)).map((row) => [keyOf(row, row.phase), row]))
  let rows = await readRows()
  for (const step of some) {
    if (!isDue(step, rows, again)) continue
    if (!(await run(step, pass, rows.get(keyOf(step.plan, step.phase))))) return false
    rows = await readRows()
    if (step.phase === 'import' && (await importedIn(pass.environment)).length === plans.length) {
      log.info({ event: 'mirror.imported', environment: pass.environment })
    }
  }
  return true
}

async function runDue(pass: Pass, again: boolean): Promise<void> {
  const { environment } = pass
  if ((await rowsOf(environment)).some(isPausedWhole)) return
  await readHeld(pass)
  if (!(await runSteps(steps, pass, again))) return
  await findAccounts(pass, await importedIn(environment), await accountsIn(environment))
  if (await runSteps(stepsAgain, pass, again)) await readHeld(pass)
}

/**
 * Syncs an environment within the time of the pass: missing rows, changes, and full reads that are due. `again` makes full reads due.
 * Returns `more` if the time was not enough. A pass that ends early loses nothing, because each page is committed with its cursor.
 */
export async function syncPass(pass: Pass, { again = false } = {}): Promise<'done' | 'more'> {
  try {
    await runDue(pass, again)
    return 'done'
  } catch (error) {
    if (error instanceof OutOfTime) return 'more'
    if (error instanceof Overtaken) return 'done'
    throw error
  }
}
