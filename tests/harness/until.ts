import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Asks until the answer is not null; throws, naming what was awaited, when it never comes. */
export async function until<T>(what: string, ask: () => Promise<T | null> | T | null, seconds = 60): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain for: ${what}`)
    await pause(50)
  }
}

/** Waits until a process has ended. */
export const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()))
