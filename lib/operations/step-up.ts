import * as z from 'zod'
import { type StepUpMethod, stepUpMethods } from '@/lib/errors'
import { id } from './common.schema'
import { lineOf } from './input.schema'

/** Wrong tries of one confirmation, after which it is dead. */
export const mostStepUpTries = 5

/** A passkey of the person's own, as the list has it. */
export type PasskeyView = { id: string; name: string; created_at: string; last_used_at: string | null }

/** The factors of who asks. `passkey_host`: the host name passkeys are bound to; null where the address of the desk is a number and none can be. */
export type Factors = {
  passkeys: PasskeyView[]
  totp: { created_at: string; last_used_at: string | null } | null
  recovery_codes: { left: number; created_at: string } | null
  passkey_host: string | null
  approvals_held_until: string | null
}

/** What adding a factor came to; the first one comes with recovery codes, which are told once. */
export type FactorAdded = { factors: Factors; recovery_codes: string[] | null }

const code = z.string('enter the code').trim().max(40, 'must be at most 40 characters')
const name = lineOf(60, 'enter a name')
/** What a browser's authenticator answers; whoever verifies it reads it. */
const authenticator = z.looseObject({ id: z.string().max(2000), response: z.looseObject({}) })

export const stepUpSchemas = {
  'step_ups.prove': {
    input: z.strictObject({
      id,
      method: z.enum(stepUpMethods, `must be one of ${stepUpMethods.join(', ')}`),
      code: code.optional(),
      password: z.string().max(128, 'must be at most 128 characters').optional(),
      passkey: authenticator.optional(),
    }),
    output: z.custom<{ id: string; method: StepUpMethod }>(),
  },
  'factors.list': { input: z.strictObject({}), output: z.custom<Factors>() },
  'factors.begin_passkey': {
    input: z.strictObject({}),
    output: z.custom<{ enrollment: string; options: Readonly<Record<string, unknown>> }>(),
  },
  'factors.add_passkey': {
    input: z.strictObject({ enrollment: id, name, passkey: authenticator }),
    output: z.custom<FactorAdded>(),
  },
  'factors.rename_passkey': { input: z.strictObject({ id, name }), output: z.custom<Factors>() },
  'factors.remove_passkey': { input: z.strictObject({ id }), output: z.custom<Factors>() },
  'factors.begin_totp': { input: z.strictObject({}), output: z.custom<{ enrollment: string; secret: string; uri: string }>() },
  'factors.confirm_totp': { input: z.strictObject({ enrollment: id, code }), output: z.custom<FactorAdded>() },
  'factors.remove_totp': { input: z.strictObject({}), output: z.custom<Factors>() },
  'factors.new_codes': { input: z.strictObject({}), output: z.custom<{ factors: Factors; recovery_codes: string[] }>() },
}
