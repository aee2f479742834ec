import 'server-only'
import { prove } from '@/lib/server/auth/step-up/prove'
import type { Runs } from './desk-call'

/** Proofs that a request is the person's own: the platform asks for them, whatever feature the request is for. */
export const stepUpRuns: Runs<'step_ups.prove'> = {
  'step_ups.prove': async ({ actor, input }) => ({ data: await prove(actor, input) }),
}
