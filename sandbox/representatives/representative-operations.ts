import { z } from 'zod'
import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { requireAccountRowNumber } from '@/sandbox/accounts/owner'
import { toStatusDetail } from '@/sandbox/accounts/verification'
import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import {
  dateSchema,
  emailSchema,
  externalIdSchema,
  makeEnumSchema,
  makePatternSchema,
  makeTextSchema,
  metadataInputSchema,
  phoneSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { makePagingParameters } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { defineTableResource } from '@/sandbox/resource'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime, toPaymentDate } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { listUnendedRepresentatives, saveRepresentative } from './representative-machine'
import {
  type Representative,
  representativeSchema,
  unmaskedRepresentativeSchema,
} from './representative-store'

const requiredBooleanSchema = z.boolean('is required and must be true or false')

const relationshipSchema = z
  .strictObject(
    {
      primary: requiredBooleanSchema,
      control: requiredBooleanSchema,
      owner: requiredBooleanSchema,
      percent_ownership: z
        .number('must be a number')
        .min(0, 'must be 0 or more')
        .max(100, 'must be at most 100')
        .nullish(),
      title: makeTextSchema(100).nullish(),
    },
    'is required and must be an object',
  )
  .refine(({ owner, percent_ownership }) => !owner || typeof percent_ownership === 'number', {
    message: 'is required for an owner',
    path: ['percent_ownership'],
  })

/**
 * Body of `PUT /v1/representatives/{id}`. `external_id` and `metadata` stay unchanged if missing. A
 * null `external_id` removes the reference; a null `metadata` counts as missing.
 */
export const updateRepresentativeBody = z.strictObject({
  first_name: makeTextSchema(100),
  last_name: makeTextSchema(100),
  dob: dateSchema,
  ssn_last4: makePatternSchema(/^[0-9]{4}$/, 'must be 4 digits'),
  email: emailSchema,
  mobile_number: phoneSchema,
  relationship: relationshipSchema,
  external_id: externalIdSchema.nullish(),
  metadata: metadataInputSchema.nullish(),
})

export const createRepresentativeBody = z.strictObject({
  account_id: uuidSchema,
  ...updateRepresentativeBody.shape,
})

type RepresentativeInput = z.infer<typeof updateRepresentativeBody>

const representativeResource = defineTableResource({
  name: 'representatives',
  account: 'forbidden',
  output: representativeSchema,
  noun: 'representative',
  table: ({ representatives }) => representatives,
  owner: ({ doc }) => doc.account_id,
})

/**
 * Throws a 422 if the date of birth is not in the past, or if the account already has another
 * primary representative.
 */
function requireValidRepresentative(
  sandbox: Sandbox,
  accountRowNumber: number,
  input: RepresentativeInput,
  now: number,
  representativeId?: string,
): void {
  if (input.dob >= toPaymentDate(now)) {
    throw makeInvalidFieldProblem(
      'The date of birth lies in the future.',
      'dob',
      'must lie in the past',
    )
  }
  const hasOtherPrimary =
    input.relationship.primary &&
    listUnendedRepresentatives(sandbox, accountRowNumber).some(
      ({ doc }) => doc.relationship.primary && doc.id !== representativeId,
    )
  if (hasOtherPrimary) {
    const otherPrimaryMessage = 'another representative of this account is primary'
    throw makeInvalidFieldProblem(
      'An account has one primary representative.',
      'relationship.primary',
      otherPrimaryMessage,
    )
  }
}

const toPersonFields = (input: RepresentativeInput) => ({
  ...{
    first_name: input.first_name,
    last_name: input.last_name,
    name: `${input.first_name} ${input.last_name}`,
  },
  ...({ dob: '****-**-**', ssn_last4: '****' } as const),
  ...{ email: input.email, mobile_number: input.mobile_number },
  relationship: {
    ...input.relationship,
    percent_ownership: input.relationship.percent_ownership ?? null,
    title: input.relationship.title ?? null,
  },
})

const representativeListQuerySchema = z.strictObject({
  ...makePagingParameters(['id', 'name', 'created_at']),
  account_id: uuidSchema.optional(),
  organization_id: uuidSchema.optional(),
  platform_id: uuidSchema.optional(),
  level: makeEnumSchema(['account', 'platform']).optional(),
})

/**
 * Returns the row numbers of the accounts of an organization, and always 0, which no account has:
 * an empty list would disable the filter.
 */
const listAccountRowNumbers = ({ accounts }: Sandbox, organizationId: string): number[] => [
  0,
  ...accounts
    .find({ column: 'organization_id', is: organizationId.toLowerCase() })
    .map(({ n }) => n),
]

export const representativeOperations: readonly Operation[] = [
  representativeResource.create(
    { summary: 'Add a representative to an account', input: createRepresentativeBody },
    ({ sandbox, input, now }) => {
      const account = sandbox.accounts.get(input.account_id)
      if (!account)
        throw makeInvalidFieldProblem(
          'There is no such account.',
          'account_id',
          'is not an account of this platform',
        )
      requireValidRepresentative(sandbox, account.n, input, now)
      const newRepresentative: Representative = {
        id: newId(now),
        ...{
          account_id: account.doc.id,
          user_id: null,
          status: 'created',
          status_detail: toStatusDetail('unverified'),
        },
        ...toPersonFields(input),
        phone: null,
        ...{ external_id: input.external_id ?? null, metadata: input.metadata ?? {} },
        ...makeTimestamps(now),
      }
      const hiddenFields = { dob: input.dob, ssn_last4: input.ssn_last4 }
      sandbox.events.created(
        {
          resource: 'representative',
          accountId: newRepresentative.account_id,
          data: newRepresentative,
        },
        now,
      )
      return sandbox.representatives.insert(account.n, newRepresentative, hiddenFields)
    },
  ),
  representativeResource.list(
    {
      summary: 'List representatives',
      query: representativeListQuerySchema,
      output: representativeSchema,
    },
    ({ account_id, organization_id, platform_id, level }, sandbox) => [
      { column: 'level', is: level },
      { column: 'platform_id', is: platform_id?.toLowerCase() },
      {
        column: 'account',
        is: account_id && (sandbox.accounts.numberOf(account_id.toLowerCase()) ?? 0),
      },
      {
        column: 'account',
        in: organization_id === undefined ? [] : listAccountRowNumbers(sandbox, organization_id),
      },
    ],
    (doc) => doc,
  ),
  representativeResource.get('Look up a representative'),
  representativeResource.change(
    {
      verb: 'update',
      method: 'PUT',
      tail: '',
      summary: 'Replace the details of a representative',
      input: updateRepresentativeBody,
    },
    ({ n, account, doc }, { sandbox, input, now }) => {
      requireValidRepresentative(sandbox, requireAccountRowNumber(account), input, now, doc.id)
      const { external_id = doc.external_id } = input
      const metadata = input.metadata ?? doc.metadata
      const changedRepresentative: Representative = {
        ...doc,
        ...toPersonFields(input),
        external_id,
        metadata,
        updated_at: toIsoTime(now),
      }
      const changedEntry = {
        n,
        account,
        doc: changedRepresentative,
        secret: { dob: input.dob, ssn_last4: input.ssn_last4 },
      }
      saveRepresentative(sandbox, changedEntry, now)
      return changedEntry
    },
  ),
  representativeResource.operation(
    {
      verb: 'unmask',
      summary: 'Look up a representative with date of birth and social security digits',
      output: unmaskedRepresentativeSchema,
    },
    ({ account, doc, secret }, { sandbox }) => {
      requireConfigFlag(sandbox, account, 'allow_data_unmask')
      return { ...doc, ...secret }
    },
  ),
]
