import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import type { JournalRow } from '@/sandbox/http/journal'
import { type ListedEvent, missingEvents } from './expected-events'
import { SandboxClient } from './sandbox-client'
import { newDataFolder, type SandboxProcess, startProcess } from './start-process'
import { morning } from './test-time'

const eventsAPage = 1_000

/** Every effect of the file's tests must have made the events of its kind, whatever the test itself looked at. */
async function expectEvents(client: SandboxClient): Promise<void> {
  const { data: effects } = await client.control<{ data: JournalRow[] }>('journal')
  const events: ListedEvent[] = []
  let page: ListedEvent[]
  do {
    page = (await client.control<{ data: ListedEvent[] }>(`events?limit=${eventsAPage}&since=${events.at(-1)?.seq ?? 0}`)).data
    events.push(...page)
  } while (page.length === eventsAPage)
  expect(missingEvents(effects, events)).toEqual([])
}

/**
 * One process for all tests of a file, which begins in the morning. Afterwards its effects are held against its
 * events, it is stopped and its folder removed. Read the two inside a test, not before.
 */
export function sandboxPerFile(...args: string[]): { process: () => SandboxProcess; client: () => SandboxClient } {
  let running: SandboxProcess | undefined
  let client: SandboxClient | undefined
  beforeAll(async () => {
    running = await startProcess(newDataFolder(), '--control', '--payments', '600', '--now', morning, ...args)
    client = new SandboxClient(running)
  })
  afterAll(async () => {
    try {
      if (client && running?.child.exitCode === null && running.child.signalCode === null) await expectEvents(client)
    } finally {
      await running?.stop()
      if (running) rmSync(running.folder, { recursive: true, force: true })
    }
  })
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the sandbox is started before the tests, not while they are collected')
    return value
  }
  return { process: () => present(running), client: () => present(client) }
}
