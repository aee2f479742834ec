import 'server-only'
import { proveStepUp } from '@/lib/server/auth/step-up/prove'
import type { OperationRuns } from './desk-call'

export const stepUpRuns: OperationRuns<'step_ups.prove'> = {
  'step_ups.prove': async ({ actor, input }) => ({ data: await proveStepUp(actor, input) }),
}
