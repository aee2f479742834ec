import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import { configuredEnvironments, env } from '@/lib/server/config/env'
import { isStopping } from '@/lib/server/running'
import { type Migrated, migrated } from '@/lib/server/store/migrated'
import { diskRoom, storeHasRoom } from '@/lib/server/store/room'
import { store } from '@/lib/server/store/store'
import { mirrorState } from './mirror-state'

/** Timeout of the store check, and cache time of its result (milliseconds). */
const storeWithin = 1500
const keptFor = 1000

type Sync = 'ok' | 'off' | 'importing' | 'paused' | 'late'

/** Result of the store check. It contains only fixed strings: no data of the store, no settings, no personal data. */
type Found = {
  store: 'ok' | 'unreachable' | 'full'
  migrations: Migrated | 'unknown'
  sync: Partial<Record<Environment, Sync | 'unknown'>>
}

type DataDir = 'ok' | 'full' | 'unreadable'

type Readiness = { status: 'ready' | 'degraded' | 'not_ready'; checks: Found & { process: 'ok' | 'stopping'; data_dir: DataDir } }

async function syncOf(environment: Environment): Promise<Sync> {
  if (!env().mirrorSync) return 'off'
  const state = await mirrorState(environment)
  if (!state) return 'ok'
  return state.paused ? 'paused' : state.importing ? 'importing' : 'late'
}

const ofEach = async <T>(word: (environment: Environment) => T | Promise<T>): Promise<Partial<Record<Environment, T>>> =>
  Object.fromEntries(await Promise.all(configuredEnvironments().map(async (name) => [name, await word(name)]))) as Partial<
    Record<Environment, T>
  >

async function lookIntoStore(): Promise<Found> {
  const { db, alone } = await store()
  // The embedded store is in DATA_DIR, whose free space `lookIntoDataDir` checks.
  const hasRoom = alone || (await storeHasRoom(db))
  return { store: hasRoom ? 'ok' : 'full', migrations: await migrated(db), sync: await ofEach(syncOf) }
}

const unreachable = async (): Promise<Found> => ({
  store: 'unreachable',
  migrations: 'unknown',
  sync: await ofEach(() => 'unknown' as const),
})

let pendingCheck: Promise<Found> | undefined

/** Returns the result of the store check, or `unreachable` after the timeout. Parallel requests share one check, even if it hangs. */
async function found(): Promise<Found> {
  pendingCheck ??= lookIntoStore()
    .catch(unreachable)
    .finally(() => {
      pendingCheck = undefined
    })
  return Promise.race([pendingCheck, wait(storeWithin, undefined, { ref: false }).then(unreachable)])
}

const lookIntoDataDir = (): Promise<DataDir> =>
  diskRoom().then(
    ({ isFull }) => (isFull ? 'full' : 'ok'),
    () => 'unreadable',
  )

let last: { at: number; found: Promise<Found> } | undefined

async function readiness(): Promise<Readiness> {
  if (!last || performance.now() - last.at > keptFor) last = { at: performance.now(), found: found() }
  const inStore = await last.found
  const process = isStopping() ? 'stopping' : 'ok'
  const dataDir = await lookIntoDataDir()
  const serves = process === 'ok' && dataDir === 'ok' && inStore.store === 'ok' && inStore.migrations !== 'behind'
  const keepsUp = Object.values(inStore.sync).every((word) => word === 'ok' || word === 'off' || word === 'importing')
  return { status: serves ? (keepsUp ? 'ready' : 'degraded') : 'not_ready', checks: { process, data_dir: dataDir, ...inStore } }
}

const noStore = { 'cache-control': 'no-store' }

/** Liveness: returns 200 without any check. */
export const answerLive = (): Response => Response.json({ status: 'ok' }, { headers: noStore })

/**
 * Readiness: returns 503 if this process cannot work, for example because a full disk refuses every write. If the sync fails, returns 200
 * with `degraded`: the cause affects all instances, and a 503 from all of them would hide the stored data and the open actions.
 */
export async function answerReady(): Promise<Response> {
  const report = await readiness()
  return Response.json(report, { status: report.status === 'not_ready' ? 503 : 200, headers: noStore })
}
