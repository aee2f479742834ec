import * as z from 'zod'
import type { GrantView } from './people'

/** `browser` and `system` (operating system) are names without a version; null if unknown. */
export type OwnSession = {
  id: string
  current: boolean
  created_at: string
  last_seen_at: string
  expires_at: string
  browser: string | null
  system: string | null
}

/** `own` can be changed. `demo` users share a password that cannot. `none`: no password. */
export type PasswordState = 'own' | 'demo' | 'none'

export type Profile = {
  name: string
  email: string
  grants: GrantView[]
  sessions: OwnSession[]
  password: PasswordState
}

/** Seconds until the session ends: `idle_in` without any activity, `ends_in` in any case. */
export type SessionTimeLeft = { idle_in: number; ends_in: number }

const emptyInput = z.strictObject({})

export const profileSchemas = {
  'profile.read': { input: emptyInput, output: z.custom<Profile>() },
  'profile.session': { input: emptyInput, output: z.custom<SessionTimeLeft>() },
  'profile.stay': { input: emptyInput, output: z.custom<SessionTimeLeft>() },
  'profile.end_session': {
    input: z.strictObject({
      id: z.string().regex(/^[0-9a-f]{16}$/, 'Must be the id of a session.'),
    }),
    output: z.custom<{ ended: number }>(),
  },
  'profile.end_sessions': {
    input: z.strictObject({ which: z.enum(['others', 'all'], 'Must be others or all.') }),
    output: z.custom<{ ended: number }>(),
  },
  'profile.change_password': {
    input: z.strictObject({
      old: z
        .string('Enter your password.')
        .min(1, 'Enter your password.')
        .max(1000, 'Is too long.'),
      password: z.string('Enter a password.').max(128, 'Must be at most 128 characters.'),
    }),
    output: z.custom<{ ended: number }>(),
  },
}
