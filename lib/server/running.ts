import 'server-only'
import { shared } from '@/lib/server/shared'

/** How this process is doing, for those outside who ask. */
type Running = { stopping: boolean }

const running = shared<Running>('running', () => ({ stopping: false }))

/** From here on this process is asked for nothing more. */
export function beginStop(): void {
  running.stopping = true
}

export const isStopping = (): boolean => running.stopping
