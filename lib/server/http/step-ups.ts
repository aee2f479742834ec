import 'server-only'
import { proveStepUp } from '@/lib/server/auth/step-up/prove'
import type { Runs } from './desk-call'

export const stepUpRuns: Runs<'step_ups.prove'> = {
  'step_ups.prove': async ({ actor, input }) => ({ data: await proveStepUp(actor, input) }),
}
