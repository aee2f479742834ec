import 'server-only'

/** How this process is doing, for those outside who ask. */
type Running = { stopping: boolean }

/** The server, its start and what it serves are bundled apart, and all have to see the same. */
const shared = globalThis as typeof globalThis & { paydeskRunning?: Running }
shared.paydeskRunning ??= { stopping: false }
const running = shared.paydeskRunning

/** From here on this process is asked for nothing more. */
export function beginStop(): void {
  running.stopping = true
}

export const isStopping = (): boolean => running.stopping
