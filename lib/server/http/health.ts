import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { isStopping } from '@/lib/server/process-state'
import { hasStoreSpace, readDiskSpace } from '@/lib/server/store/disk-space'
import { compareMigrations, type MigrationState } from '@/lib/server/store/migrations'
import { getStore } from '@/lib/server/store/store'
import { readMirrorState } from './mirror-state'

const storeTimeoutMs = 1500
const readinessCacheMs = 1000

type SyncStatus = 'ok' | 'off' | 'importing' | 'paused' | 'late'

/**
 * The result has only fixed strings, because anyone can read it: no data of the store, no settings,
 * no personal data.
 */
type StoreCheckResult = {
  store: 'ok' | 'unreachable' | 'full'
  migrations: MigrationState | 'unknown'
  sync: Partial<Record<Environment, SyncStatus | 'unknown'>>
}

type DataDirStatus = 'ok' | 'full' | 'unreadable'

type Readiness = {
  status: 'ready' | 'degraded' | 'not_ready'
  checks: StoreCheckResult & { process: 'ok' | 'stopping'; data_dir: DataDirStatus }
}

async function readSyncStatus(environment: Environment): Promise<SyncStatus> {
  if (!env().mirrorSync) return 'off'
  const state = await readMirrorState(environment)
  if (!state) return 'ok'
  return state.paused ? 'paused' : state.importing ? 'importing' : 'late'
}

const readPerEnvironment = async <T>(
  readValue: (environment: Environment) => T | Promise<T>,
): Promise<Partial<Record<Environment, T>>> =>
  Object.fromEntries(
    await Promise.all(
      listConfiguredEnvironments().map(async (name) => [name, await readValue(name)]),
    ),
  ) as Partial<Record<Environment, T>>

async function checkStore(): Promise<StoreCheckResult> {
  const { db, alone } = await getStore()
  // The embedded store is in DATA_DIR, and `readDataDirStatus` checks the free space there.
  const hasDiskRoom = alone || (await hasStoreSpace(db))
  return {
    store: hasDiskRoom ? 'ok' : 'full',
    migrations: await compareMigrations(db),
    sync: await readPerEnvironment(readSyncStatus),
  }
}

const createUnreachableStoreResult = async (): Promise<StoreCheckResult> => ({
  store: 'unreachable',
  migrations: 'unknown',
  sync: await readPerEnvironment(() => 'unknown' as const),
})

let pendingStoreCheck: Promise<StoreCheckResult> | undefined

/** Parallel requests share one check, even if it hangs. */
async function checkStoreInTime(): Promise<StoreCheckResult> {
  pendingStoreCheck ??= checkStore()
    .catch(createUnreachableStoreResult)
    .finally(() => {
      pendingStoreCheck = undefined
    })
  return Promise.race([
    pendingStoreCheck,
    wait(storeTimeoutMs, undefined, { ref: false }).then(createUnreachableStoreResult),
  ])
}

const readDataDirStatus = (): Promise<DataDirStatus> =>
  readDiskSpace().then(
    ({ isFull }) => (isFull ? 'full' : 'ok'),
    () => 'unreadable',
  )

let lastStoreCheck: { at: number; found: Promise<StoreCheckResult> } | undefined

async function readReadiness(): Promise<Readiness> {
  if (!lastStoreCheck || performance.now() - lastStoreCheck.at > readinessCacheMs)
    lastStoreCheck = { at: performance.now(), found: checkStoreInTime() }
  const storeCheckResult = await lastStoreCheck.found
  const processStatus = isStopping() ? 'stopping' : 'ok'
  const dataDirStatus = await readDataDirStatus()
  const canServe =
    processStatus === 'ok' &&
    dataDirStatus === 'ok' &&
    storeCheckResult.store === 'ok' &&
    storeCheckResult.migrations !== 'behind'
  const isSyncCurrent = Object.values(storeCheckResult.sync).every(
    (word) => word === 'ok' || word === 'off' || word === 'importing',
  )
  return {
    status: canServe ? (isSyncCurrent ? 'ready' : 'degraded') : 'not_ready',
    checks: { process: processStatus, data_dir: dataDirStatus, ...storeCheckResult },
  }
}

const noStoreHeaders = { 'cache-control': 'no-store' }

/** Liveness: returns 200 without any check. */
export const serveLiveness = (): Response =>
  Response.json({ status: 'ok' }, { headers: noStoreHeaders })

/**
 * Returns 503 if this process cannot work, for example because of a full disk. If the sync is late
 * or paused, returns 200 with `degraded`: the cause affects all instances, and a 503 from all of
 * them would hide the stored data and the open actions.
 */
export async function serveReadiness(): Promise<Response> {
  const readiness = await readReadiness()
  return Response.json(readiness, {
    status: readiness.status === 'not_ready' ? 503 : 200,
    headers: noStoreHeaders,
  })
}
