import 'server-only'
import { shared } from '@/lib/server/shared'

type Running = { stopping: boolean }

const running = shared<Running>('running', () => ({ stopping: false }))

export function beginStop(): void {
  running.stopping = true
}

export const isStopping = (): boolean => running.stopping
