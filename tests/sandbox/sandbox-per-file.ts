import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import type { JournalRow } from '@/sandbox/http/journal'
import { findMissingEvents, type ListedEvent } from './expected-events'
import { SandboxClient } from './sandbox-client'
import { createDataFolder, type SandboxProcess, startProcess } from './start-process'
import { morningTime } from './test-time'

const eventsPageSize = 1_000

/**
 * Checks that every journal row of the file's tests has its events, even if no test checked them.
 */
async function expectEventsOfAllRows(client: SandboxClient): Promise<void> {
  const { data: journalRows } = await client.control<{ data: JournalRow[] }>('journal')
  const events: ListedEvent[] = []
  let eventPage: ListedEvent[]
  do {
    eventPage = (
      await client.control<{ data: ListedEvent[] }>(
        `events?limit=${eventsPageSize}&since=${events.at(-1)?.seq ?? 0}`,
      )
    ).data
    events.push(...eventPage)
  } while (eventPage.length === eventsPageSize)
  expect(findMissingEvents(journalRows, events)).toEqual([])
}

const isRunning = ({ child }: SandboxProcess): boolean =>
  child.exitCode === null && child.signalCode === null

async function startTestProcess(...args: string[]): Promise<SandboxProcess> {
  return await startProcess(
    createDataFolder(),
    '--control',
    '--payments',
    '600',
    '--now',
    morningTime,
    ...args,
  )
}

/**
 * Process that the test files of a worker share if they need no flags. Starting a process takes
 * four times as long as resetting one.
 */
let sharedProcess: SandboxProcess | undefined

async function getSharedProcess(): Promise<SandboxProcess> {
  if (sharedProcess && isRunning(sharedProcess)) {
    const client = new SandboxClient(sharedProcess)
    await client.speak('document')
    await client.control('rate-limit', { per_second: null })
    await client.control('clock', { now: morningTime })
    await client.control('reset', { seed: 1, payments: 600 })
    return sharedProcess
  }
  const startedProcess = await startTestProcess()
  // Vitest ends its workers with SIGTERM. The process and its data folder must not remain.
  process.once('SIGTERM', () => {
    startedProcess.child.kill('SIGKILL')
    rmSync(startedProcess.folder, { recursive: true, force: true })
    process.exit()
  })
  sharedProcess = startedProcess
  return startedProcess
}

/**
 * Provides one process for all tests of a file. Its data is newly seeded, and its clock starts in
 * the morning. After the tests, compares journal and events. A process with its own flags is then
 * stopped and its folder deleted. Call the two returned functions inside a test, not before.
 */
export function startSandboxPerFile(...args: string[]): {
  process: () => SandboxProcess
  client: () => SandboxClient
} {
  let runningProcess: SandboxProcess | undefined
  let client: SandboxClient | undefined
  beforeAll(async () => {
    runningProcess = await (args.length > 0 ? startTestProcess(...args) : getSharedProcess())
    client = new SandboxClient(runningProcess)
  })
  afterAll(async () => {
    if (!runningProcess) return
    try {
      if (client && isRunning(runningProcess)) await expectEventsOfAllRows(client)
    } finally {
      if (runningProcess !== sharedProcess) {
        await runningProcess.stop()
        rmSync(runningProcess.folder, { recursive: true, force: true })
      }
    }
  })
  const requireStarted = <T>(value: T | undefined): T => {
    if (value === undefined)
      throw new Error('the sandbox is started before the tests, not while they are collected')
    return value
  }
  return { process: () => requireStarted(runningProcess), client: () => requireStarted(client) }
}
