import { z } from 'zod'
import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { toStatusDetail } from '@/sandbox/accounts/verification'
import { invalidField } from '@/sandbox/http/problem'
import { date, email, enumField, externalId, metadata, pattern, phone, text, uuid } from '@/sandbox/http/read-body'
import { paging } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { tableResource } from '@/sandbox/resource'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, timesAt, toPaymentDate } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { listRepresentatives, saveRepresentative } from './representative-machine'
import { type Representative, representative, unmaskedRepresentative } from './representative-store'

const flag = z.boolean('is required and must be true or false')

const relationship = z
  .strictObject(
    {
      primary: flag,
      control: flag,
      owner: flag,
      percent_ownership: z.number('must be a number').min(0, 'must be 0 or more').max(100, 'must be at most 100').nullish(),
      title: text(100).nullish(),
    },
    'is required and must be an object',
  )
  .refine(({ owner, percent_ownership }) => !owner || typeof percent_ownership === 'number', {
    message: 'is required for an owner',
    path: ['percent_ownership'],
  })

/** Body of `PUT /v1/representatives/{id}`. Metadata and reference stay unchanged if missing. Null metadata counts as missing. */
export const updateBody = z.strictObject({
  first_name: text(100),
  last_name: text(100),
  dob: date,
  ssn_last4: pattern(/^[0-9]{4}$/, 'must be 4 digits'),
  email,
  mobile_number: phone,
  relationship,
  external_id: externalId.nullish(),
  metadata: metadata.nullish(),
})

export const createBody = z.strictObject({ account_id: uuid, ...updateBody.shape })

type Input = z.infer<typeof updateBody>

const representatives = tableResource({
  name: 'representatives',
  account: 'forbidden',
  output: representative,
  noun: 'representative',
  table: ({ representatives }) => representatives,
  owner: ({ doc }) => doc.account_id,
})

/** Throws a 422 for a date of birth that is not in the past, or for a second primary representative of the account. */
function requireValidRepresentative(sandbox: Sandbox, account: number, input: Input, now: number, ownId?: string): void {
  if (input.dob >= toPaymentDate(now)) {
    throw invalidField('The date of birth lies in the future.', 'dob', 'must lie in the past')
  }
  const hasOtherPrimary =
    input.relationship.primary && listRepresentatives(sandbox, account).some(({ doc }) => doc.relationship.primary && doc.id !== ownId)
  if (hasOtherPrimary) {
    const detail = 'another representative of this account is primary'
    throw invalidField('An account has one primary representative.', 'relationship.primary', detail)
  }
}

const toPersonFields = (input: Input) => ({
  ...{ first_name: input.first_name, last_name: input.last_name, name: `${input.first_name} ${input.last_name}` },
  ...({ dob: '****-**-**', ssn_last4: '****' } as const),
  ...{ email: input.email, mobile_number: input.mobile_number },
  relationship: {
    ...input.relationship,
    percent_ownership: input.relationship.percent_ownership ?? null,
    title: input.relationship.title ?? null,
  },
})

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  account_id: uuid.optional(),
  organization_id: uuid.optional(),
  platform_id: uuid.optional(),
  level: enumField(['account', 'platform']).optional(),
})

/**
 * Returns the row numbers of an organization's accounts, and 0, which no account has. The 0 keeps the list from being empty, which would
 * disable the filter.
 */
const listAccountNumbers = ({ accounts }: Sandbox, organization: string): number[] => [
  0,
  ...accounts.find({ column: 'organization_id', is: organization.toLowerCase() }).map(({ n }) => n),
]

export const representativeOperations: readonly Operation[] = [
  representatives.create({ summary: 'Add a representative to an account', input: createBody }, ({ sandbox, input, now }) => {
    const account = sandbox.accounts.get(input.account_id)
    if (!account) throw invalidField('There is no such account.', 'account_id', 'is not an account of this platform')
    requireValidRepresentative(sandbox, account.n, input, now)
    const newRepresentative: Representative = {
      id: newId(now),
      ...{ account_id: account.doc.id, user_id: null, status: 'created', status_detail: toStatusDetail('unverified') },
      ...toPersonFields(input),
      phone: null,
      ...{ external_id: input.external_id ?? null, metadata: input.metadata ?? {} },
      ...timesAt(now),
    }
    const secret = { dob: input.dob, ssn_last4: input.ssn_last4 }
    sandbox.events.created({ resource: 'representative', accountId: newRepresentative.account_id, data: newRepresentative }, now)
    return sandbox.representatives.insert(account.n, newRepresentative, secret)
  }),
  representatives.list(
    { summary: 'List representatives', query: listQuery, output: representative },
    ({ account_id, organization_id, platform_id, level }, sandbox) => [
      { column: 'level', is: level },
      { column: 'platform_id', is: platform_id?.toLowerCase() },
      { column: 'account', is: account_id && (sandbox.accounts.numberOf(account_id.toLowerCase()) ?? 0) },
      { column: 'account', in: organization_id === undefined ? [] : listAccountNumbers(sandbox, organization_id) },
    ],
    (doc) => doc,
  ),
  representatives.get('Look up a representative'),
  representatives.change(
    { verb: 'update', method: 'PUT', tail: '', summary: 'Replace the details of a representative', input: updateBody },
    ({ n, account, doc }, { sandbox, input, now }) => {
      requireValidRepresentative(sandbox, account ?? 0, input, now, doc.id)
      const { external_id = doc.external_id } = input
      const metadata = input.metadata ?? doc.metadata
      const changed: Representative = { ...doc, ...toPersonFields(input), external_id, metadata, updated_at: iso(now) }
      const entry = { n, account, doc: changed, secret: { dob: input.dob, ssn_last4: input.ssn_last4 } }
      saveRepresentative(sandbox, entry, now)
      return entry
    },
  ),
  representatives.operation(
    {
      verb: 'unmask',
      summary: 'Look up a representative with date of birth and social security digits',
      output: unmaskedRepresentative,
    },
    ({ account, doc, secret }, { sandbox }) => {
      requireConfigFlag(sandbox, account ?? 0, 'allow_data_unmask')
      return { ...doc, ...secret }
    },
  ),
]
