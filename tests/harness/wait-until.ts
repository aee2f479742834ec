import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls until `poll` returns a value other than null, and returns the value. After `seconds`,
 * throws an error that contains `what`.
 */
export async function waitUntil<T>(
  what: string,
  poll: () => Promise<T | null> | T | null,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const pollResult = await poll()
    if (pollResult !== null) return pollResult
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s in vain for: ${what}`)
    await pause(50)
  }
}

export const waitForExit = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))
