import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'

/** A store that is away must not keep the process from ending (milliseconds). */
const patience = 5000

/** The server and what it serves are bundled apart, and both have to see the same writes. */
const shared = globalThis as typeof globalThis & { paydeskLastWrites?: Set<Promise<void>> }
shared.paydeskLastWrites ??= new Set()
const writes = shared.paydeskLastWrites

/** Has the end of the process wait for a write that no answer waits for. It must not reject. */
export function beforeExit(write: Promise<void>): void {
  writes.add(write)
  void write.finally(() => writes.delete(write))
}

/** Settled when all such writes are; for whoever ends the process. */
export const lastWrites = async (): Promise<void> => {
  await Promise.race([Promise.all(writes), wait(patience)])
}
