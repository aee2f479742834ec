import { setTimeout as pause } from 'node:timers/promises'
import type { JournalRow } from '@/sandbox/http/journal'
import { Random } from '@/sandbox/store/random'
import type { SandboxProcess } from '@/tests/sandbox/start-process'
import { toPaymentDate } from '@/tests/sandbox/test-time'
import type { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'
import { EventArrivals } from './arrivals'
import { checkSearchColumns } from './check-columns'
import { countPendingDeliveries, findDeliveryFaults, findEventFaults } from './check-events'
import { checkObjects, checkReportedHistories } from './check-objects'
import { checkWrites } from './check-writes'
import { groupBy } from './group-by'
import { KnownObjects } from './known-objects'
import { ServiceConnectionPool } from './service-connection-pool'
import { createInitialObjects } from './set-up'
import { createEmptyVerdict, type KillTestVerdict } from './verdict'
import { isAcknowledged, type SentWrite } from './write'
import { startWriteLoad } from './write-load'

/**
 * Plan of a run: number of rounds, random seed, writes per second, maximum milliseconds until a
 * kill, and the function that starts the process. All processes use the same data folder.
 */
export type KillTestPlan = {
  rounds: number
  seed: number
  perSecond: number
  longestMs: number
  /** Starts a sandbox process with the control plane and the given flags. */
  start: (...flags: string[]) => Promise<SandboxProcess>
  receiver: WebhookReceiver
  /** Called with a line of figures after each round. */
  say?: (line: string) => void
}

// While writes are sent, the sandbox's clock runs 30 times as fast, so that kills also interrupt
// timers. During checks the clock nearly stops, so that no timer changes an object.
const fastClockFlags = ['--speed', '30']
const stoppedClockFlags = ['--speed', '0.000000001']

const minKillDelayMs = 150
const deliveryTimeoutMs = 120_000

/** Runs all due timers, so that none changes an object during the checks. */
const runDueTimers = (service: ServiceConnectionPool): Promise<unknown> =>
  service.control('clock', { advance_seconds: 0 })

class KillTestRun {
  readonly verdict: KillTestVerdict = createEmptyVerdict()
  readonly #plan: KillTestPlan
  readonly #random: Random
  readonly #known = new KnownObjects()
  readonly #arrivals = new EventArrivals()
  readonly #effectful = new Set<string>()
  #written = 0
  #lastEffect = 0
  #lastEvent = 0

  constructor(plan: KillTestPlan) {
    this.#plan = plan
    this.#random = new Random(plan.seed)
  }

  async prepare(): Promise<void> {
    await this.#withProcess(stoppedClockFlags, (_, process) =>
      createInitialObjects(process, this.#known),
    )
  }

  async round(): Promise<void> {
    const { sent, seconds } = await this.#withProcess(fastClockFlags, (service, process) =>
      this.#writeUntilKilled(service, process),
    )
    const answeredCount = sent.filter(({ answer }) => answer !== undefined).length
    const acknowledgedCount = sent.filter(({ answer }) => isAcknowledged(answer)).length
    const { verdict } = this
    verdict.rounds += 1
    verdict.sent += sent.length
    verdict.acknowledged += acknowledgedCount
    verdict.refused += answeredCount - acknowledgedCount
    verdict.seconds += seconds
    verdict.perSecond = verdict.sent / verdict.seconds
    await this.#withProcess(stoppedClockFlags, (service) => this.#check(service, sent))
    const roundSummaryText = `${acknowledgedCount} acknowledged in ${seconds.toFixed(2)} s, ${sent.length - answeredCount} without an answer`
    this.#plan.say?.(
      `round ${verdict.rounds}: ${roundSummaryText}; ${verdict.violations.length} violations so far`,
    )
  }

  /** Checks the objects of all rounds again, and checks that every event reached the receiver. */
  async finish(): Promise<void> {
    await this.#withProcess(stoppedClockFlags, async (service) => {
      await runDueTimers(service)
      const rows = await service.journal(0)
      this.#blame(
        this.#keyFaults(rows),
        await checkObjects(service, rows, this.#known),
        await checkSearchColumns(service),
      )
      await this.#untilDelivered(service)
      const events = await service.events(0)
      this.#blame(findEventFaults(rows, events), findDeliveryFaults(events, this.#arrivals.ids))
      this.verdict.effects = rows.length
      this.verdict.events = events.length
      this.verdict.arrivedTwice = this.#arrivals.twice
    })
  }

  #blame(...faults: string[][]): void {
    this.verdict.violations.push(...faults.flat())
  }

  /** Starts a process, runs `work`, then kills the process if it still runs. */
  async #withProcess<T>(
    flags: string[],
    work: (service: ServiceConnectionPool, process: SandboxProcess) => Promise<T>,
  ): Promise<T> {
    const sandboxProcess = await this.#plan.start(...flags)
    const connectionPool = new ServiceConnectionPool(sandboxProcess)
    try {
      return await work(connectionPool, sandboxProcess)
    } finally {
      await sandboxProcess.stop('SIGKILL')
      await connectionPool.close()
      this.verdict.kills += 1
    }
  }

  async #writeUntilKilled(
    line: ServiceConnectionPool,
    process: SandboxProcess,
  ): Promise<{ sent: SentWrite[]; seconds: number }> {
    const { perSecond, longestMs } = this.#plan
    const { now } = await line.control<{ now: string }>('clock')
    this.#known.today = toPaymentDate(Date.parse(now))
    const writeLoad = startWriteLoad({
      line,
      known: this.#known,
      random: this.#random,
      perSecond,
      nextKey: () => this.#key(),
    })
    // Wait for a random time and for the first acknowledged write. Without that write the kill
    // could lose nothing, and the round would test nothing.
    await Promise.all([writeLoad.acknowledged, pause(this.#random.int(minKillDelayMs, longestMs))])
    const killPromise = process.stop('SIGKILL')
    const loadResult = await writeLoad.end()
    await killPromise
    return loadResult
  }

  async #check(line: ServiceConnectionPool, sent: readonly SentWrite[]): Promise<void> {
    await runDueTimers(line)
    const writeCheckReport = await checkWrites(line, sent, this.#lastEffect)
    this.verdict.replayed += writeCheckReport.replayed
    this.verdict.unanswered += writeCheckReport.unanswered
    this.verdict.unansweredWithEffect += writeCheckReport.unansweredWithEffect
    for (const { write, answer } of sent) if (answer) this.#known.learn(write, answer)
    const allRows = await line.journal(0)
    const newRows = allRows.filter(({ seq }) => seq > this.#lastEffect)
    for (const { idempotency_key } of newRows)
      if (idempotency_key !== null) this.#effectful.add(idempotency_key)
    const changedObjectIds = new Set(newRows.map(({ target_id }) => target_id))
    const rowsOfChangedObjects = allRows.filter(({ target_id }) => changedObjectIds.has(target_id))
    const events = await line.events(this.#lastEvent)
    this.#blame(
      writeCheckReport.violations,
      await checkObjects(line, rowsOfChangedObjects, this.#known),
      await checkReportedHistories(line, sent),
    )
    this.#blame(
      await checkSearchColumns(line),
      findEventFaults(newRows, events),
      this.#arrivals.take(this.#plan.receiver),
    )
    this.#lastEffect = newRows.at(-1)?.seq ?? this.#lastEffect
    this.#lastEvent = events.at(-1)?.seq ?? this.#lastEvent
    await this.#known.refresh(line)
  }

  /**
   * Returns an error text for each Idempotency-Key that had a journal row after some round and does
   * not have exactly one at the end.
   */
  #keyFaults(rows: readonly JournalRow[]): string[] {
    const rowsByKey = groupBy(rows, ({ idempotency_key }) => idempotency_key ?? '')
    return [...this.#effectful].flatMap((key) => {
      const rowCount = rowsByKey.get(key)?.length ?? 0
      return rowCount === 1 ? [] : [`${key} has ${rowCount} effects in the end`]
    })
  }

  async #untilDelivered(line: ServiceConnectionPool): Promise<void> {
    const deadline = performance.now() + deliveryTimeoutMs
    while ((await countPendingDeliveries(line)) > 0 && performance.now() < deadline)
      await pause(100)
    this.#blame(this.#arrivals.take(this.#plan.receiver))
  }

  #key(): string {
    this.#written += 1
    return `durable-${this.#plan.seed}-${String(this.#written).padStart(7, '0')}`
  }
}

/**
 * Kills the sandbox process repeatedly while writes are sent. All processes use the same data
 * folder. After each start, compares the data with the acknowledged writes. Returns the figures and
 * all violations. Throws only if a process does not start or respond.
 */
export async function runKillRounds(plan: KillTestPlan): Promise<KillTestVerdict> {
  const killTestRun = new KillTestRun(plan)
  await killTestRun.prepare()
  for (let round = 0; round < plan.rounds; round++) await killTestRun.round()
  await killTestRun.finish()
  return killTestRun.verdict
}
