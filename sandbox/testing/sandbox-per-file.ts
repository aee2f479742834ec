import { rmSync } from 'node:fs'
import { afterAll, beforeAll, vi } from 'vitest'
import { SandboxClient } from './sandbox-client'
import { newDataFolder, type SandboxProcess, startProcess } from './start-process'

/** One process for all tests of a file, stopped and its folder removed afterwards. Read the two inside a test, not before. */
export function sandboxPerFile(...args: string[]): { process: () => SandboxProcess; client: () => SandboxClient } {
  vi.setConfig({ testTimeout: 30_000 })
  let running: SandboxProcess | undefined
  let client: SandboxClient | undefined
  beforeAll(async () => {
    running = await startProcess(newDataFolder(), '--control', '--payments', '600', ...args)
    client = new SandboxClient(running)
  }, 30_000)
  afterAll(async () => {
    await running?.stop()
    if (running) rmSync(running.data, { recursive: true, force: true })
  })
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the sandbox is started before the tests, not while they are collected')
    return value
  }
  return { process: () => present(running), client: () => present(client) }
}
