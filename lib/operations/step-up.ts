import * as z from 'zod'
import { type StepUpMethod, stepUpMethods } from '@/lib/errors'
import { id } from './common.schema'
import { createOneLineTextSchema } from './input.schema'

/** A step-up challenge becomes invalid after this many failed attempts. */
export const maxStepUpTries = 5

export type PasskeyView = {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

/**
 * `passkey_host` is null if Paydesk runs on an IP address, for which there can be no passkeys.
 * Until `approvals_held_until` the person cannot approve, because one of their factors was removed.
 */
export type SecondFactors = {
  passkeys: PasskeyView[]
  totp: { created_at: string; last_used_at: string | null } | null
  recovery_codes: { left: number; created_at: string } | null
  passkey_host: string | null
  approvals_held_until: string | null
}

/** `recovery_codes` are created with the first factor and shown only once; null afterwards. */
export type AddFactorResult = { factors: SecondFactors; recovery_codes: string[] | null }

const factorCode = z.string('Enter the code.').trim().max(40, 'Must be at most 40 characters.')
const passkeyName = createOneLineTextSchema(60, 'Enter a name.')
/** The code that verifies the response parses the fields that are not listed here. */
const authenticatorResponse = z.looseObject({
  id: z.string().max(2000),
  response: z.looseObject({}),
})

export const stepUpSchemas = {
  'step_ups.prove': {
    input: z.strictObject({
      id,
      method: z.enum(stepUpMethods, `Must be one of ${stepUpMethods.join(', ')}.`),
      code: factorCode.optional(),
      password: z.string().max(128, 'Must be at most 128 characters.').optional(),
      passkey: authenticatorResponse.optional(),
    }),
    output: z.custom<{ id: string; method: StepUpMethod }>(),
  },
  'factors.list': { input: z.strictObject({}), output: z.custom<SecondFactors>() },
  'factors.begin_passkey': {
    input: z.strictObject({}),
    output: z.custom<{ enrollment: string; options: Readonly<Record<string, unknown>> }>(),
  },
  'factors.add_passkey': {
    input: z.strictObject({ enrollment: id, name: passkeyName, passkey: authenticatorResponse }),
    output: z.custom<AddFactorResult>(),
  },
  'factors.rename_passkey': {
    input: z.strictObject({ id, name: passkeyName }),
    output: z.custom<SecondFactors>(),
  },
  'factors.remove_passkey': { input: z.strictObject({ id }), output: z.custom<SecondFactors>() },
  'factors.begin_totp': {
    input: z.strictObject({}),
    output: z.custom<{ enrollment: string; secret: string; uri: string }>(),
  },
  'factors.confirm_totp': {
    input: z.strictObject({ enrollment: id, code: factorCode }),
    output: z.custom<AddFactorResult>(),
  },
  'factors.remove_totp': { input: z.strictObject({}), output: z.custom<SecondFactors>() },
  'factors.new_codes': {
    input: z.strictObject({}),
    output: z.custom<{ factors: SecondFactors; recovery_codes: string[] }>(),
  },
}
