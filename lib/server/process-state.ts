import 'server-only'
import { getSharedValue } from '@/lib/server/shared'

type ProcessState = { stopping: boolean }

const processState = getSharedValue<ProcessState>('running', () => ({ stopping: false }))

export function beginStop(): void {
  processState.stopping = true
}

export const isStopping = (): boolean => processState.stopping
