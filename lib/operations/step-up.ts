import * as z from 'zod'
import { type StepUpMethod, stepUpMethods } from '@/lib/errors'
import { id } from './common.schema'
import { requiredLine } from './input.schema'

/** Number of failed attempts after which a step-up challenge becomes invalid. */
export const maxStepUpTries = 5

/** A passkey of the reader, as the list shows it. */
export type PasskeyView = { id: string; name: string; created_at: string; last_used_at: string | null }

/**
 * The factors of the reader. `passkey_host`: the host name that passkeys are bound to; null if Paydesk runs on an IP address, which cannot
 * have any.
 */
export type Factors = {
  passkeys: PasskeyView[]
  totp: { created_at: string; last_used_at: string | null } | null
  recovery_codes: { left: number; created_at: string } | null
  passkey_host: string | null
  approvals_held_until: string | null
}

/** The result of adding a factor. The first one comes with recovery codes, which are shown once. */
export type FactorAdded = { factors: Factors; recovery_codes: string[] | null }

const code = z.string('Enter the code.').trim().max(40, 'Must be at most 40 characters.')
const name = requiredLine(60, 'Enter a name.')
/** The response of a browser's WebAuthn authenticator. The code that verifies the response parses the rest of it. */
const authenticator = z.looseObject({ id: z.string().max(2000), response: z.looseObject({}) })

export const stepUpSchemas = {
  'step_ups.prove': {
    input: z.strictObject({
      id,
      method: z.enum(stepUpMethods, `Must be one of ${stepUpMethods.join(', ')}.`),
      code: code.optional(),
      password: z.string().max(128, 'Must be at most 128 characters.').optional(),
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
