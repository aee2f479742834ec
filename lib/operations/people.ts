import * as z from 'zod'
import { id } from './common.schema'
import { type Environment, environments, type Role, roles } from './define'
import { createOneLineTextSchema } from './input.schema'

/** `sso`: through the identity provider (single sign-on). */
export type SignInMethod = 'password' | 'sso'

/**
 * `not_told`: the identity provider sent no claim with groups. `elsewhere`: the claim has only a
 * link, because there are too many. `unreadable`: unknown form. The person then keeps their roles.
 */
export type GroupsFault = 'not_told' | 'elsewhere' | 'unreadable'

/**
 * `account`: `acct_…`, null for the whole platform. `expires_at`: null if the grant lasts until it
 * is revoked. `from_sso`: it lasts as long as the person is in a group at the identity provider.
 */
export type GrantView = {
  id: string
  role: Role
  environment: Environment
  account: string | null
  expires_at: string | null
  expired: boolean
  granted_by: string | null
  from_sso: boolean
  created_at: string
}

/**
 * A role that the person does not have yet, because another admin must confirm it. `own`: the
 * signed-in admin requested it.
 */
export type GrantRequestView = Pick<
  GrantView,
  'id' | 'role' | 'environment' | 'account' | 'expires_at' | 'created_at'
> & {
  requested_by: string
  own: boolean
}

/**
 * `invited`: the person cannot sign in yet. `groups_fault`: why the last single sign-on did not
 * update the roles that come from groups.
 */
export type PersonView = {
  id: string
  name: string
  email: string
  own: boolean
  state: 'invited' | 'active' | 'deactivated'
  signs_in_by: SignInMethod[]
  groups_fault: GroupsFault | null
  created_at: string
  last_seen_at: string | null
  grants: GrantView[]
  grant_requests: GrantRequestView[]
}

/** A session that has not ended. */
export type SessionView = { created_at: string; last_seen_at: string; expires_at: string }

/** `link_until`: end of an open invitation link. `totp`: the person has an authenticator app. */
export type PersonDetail = PersonView & {
  sessions: SessionView[]
  link_until: string | null
  factors: { passkeys: number; totp: boolean }
}

export type ReviewedPerson = Omit<
  PersonView,
  'own' | 'grants' | 'grant_requests' | 'groups_fault'
> & {
  passkeys: number
  authenticator_app: boolean
  unused_90_days: boolean
  grants: Omit<GrantView, 'id'>[]
}

export type AccessReview = { made_at: string; people: ReviewedPerson[] }

/**
 * The link is shown only once. `mailed`: it was also sent by email. `waiting`: the roles that
 * another admin must confirm.
 */
export type InvitationLink = {
  id: string
  link: string
  expires_at: string
  mailed: boolean
  waiting: readonly string[]
}

const grantInputFields = {
  role: z.enum(roles, `Must be one of ${roles.join(', ')}.`),
  environment: z.enum(environments, `Must be one of ${environments.join(', ')}.`),
  account: z
    .string()
    .regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Must be acct_ and a UUID.')
    .nullable(),
  expires_at: z.iso
    .datetime({ error: 'Must be a time.' })
    .refine((text) => Date.parse(text) > Date.now(), 'Must be in the future.')
    .nullable(),
}

const grantInput = z.strictObject(grantInputFields)

export type GrantInput = z.output<typeof grantInput>

export const peopleSchemas = {
  'people.list': { input: z.strictObject({}), output: z.custom<PersonView[]>() },
  'people.access_review': {
    input: z.strictObject({ format: z.enum(['csv', 'json'], 'Must be csv or json.') }),
    output: z.custom<AccessReview>(),
  },
  'people.invite': {
    input: z.strictObject({
      name: createOneLineTextSchema(100, 'Enter the name.'),
      email: z
        .email('Must be an address like name@company.com.')
        .max(200, 'Must be at most 200 characters.'),
      grants: z
        .array(grantInput)
        .min(1, 'Grant at least one role.')
        .max(50, 'Grant at most 50 roles.'),
    }),
    output: z.custom<InvitationLink>(),
  },
  'people.link': { input: z.strictObject({ id }), output: z.custom<InvitationLink>() },
  'people.grant': {
    input: z.strictObject({ id, ...grantInputFields }),
    output: z.custom<PersonDetail>(),
  },
  'people.confirm_grant': {
    input: z.strictObject({ id, request: id }),
    output: z.custom<PersonDetail>(),
  },
  'people.reject_grant': {
    input: z.strictObject({ id, request: id }),
    output: z.custom<PersonDetail>(),
  },
  'people.take_grant': {
    input: z.strictObject({ id, grant: id }),
    output: z.custom<PersonDetail>(),
  },
  'people.deactivate': { input: z.strictObject({ id }), output: z.custom<PersonDetail>() },
  'people.activate': { input: z.strictObject({ id }), output: z.custom<PersonDetail>() },
  'people.remove_factors': { input: z.strictObject({ id }), output: z.custom<PersonDetail>() },
  'people.end_sessions': { input: z.strictObject({ id }), output: z.custom<PersonDetail>() },
}
