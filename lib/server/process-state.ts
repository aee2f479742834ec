import 'server-only'
import { shared } from '@/lib/server/shared'

type ProcessState = { stopping: boolean }

const processState = shared<ProcessState>('running', () => ({ stopping: false }))

export function beginStop(): void {
  processState.stopping = true
}

export const isStopping = (): boolean => processState.stopping
