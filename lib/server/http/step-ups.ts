import 'server-only'
import { proveStepUp } from '@/lib/server/auth/step-up/prove'
import type { DeskOperationHandlers } from './desk-call'

export const stepUpHandlers: DeskOperationHandlers<'step_ups.prove'> = {
  'step_ups.prove': async ({ actor, input }) => ({ data: await proveStepUp(actor, input) }),
}
