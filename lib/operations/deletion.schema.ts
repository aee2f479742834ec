import * as z from 'zod'
import { id } from './common.schema'
import { environments } from './define'
import { deletionAskers, deletionBases, identityChecks } from './deletion'

/**
 * A request to delete a customer. Everything is coded, and the ticket is a reference of few characters: no name can get in. `id` is made by the
 * form, so that a second click finds the first one's row.
 */
export const deletionRequest = z
  .strictObject({
    id,
    environment: z.enum(environments, 'must be an environment'),
    account: z.string('name the account').regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be acct_ and a UUID'),
    customer_id: id,
    asker: z.enum(deletionAskers, 'choose who asks'),
    basis: z.enum(deletionBases, 'choose the legal ground'),
    identity_check: z.enum(identityChecks, 'choose how the identity was checked'),
    ticket: z
      .string()
      .trim()
      .regex(
        /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9./#_-]{1,39}$/,
        'must be a reference like PRIV-1234: 2 to 40 letters, digits, . / # _ -, with a digit',
      )
      .optional(),
    due_on: z.iso.date('must be a date like 2026-03-31').optional(),
  })
  .refine(({ asker, identity_check }) => asker === 'RETENTION_END' || identity_check !== 'NOT_NEEDED', {
    error: 'somebody asks, so say how it was made sure who that is',
    path: ['identity_check'],
  })

/** A parsed request. */
export type DeletionRequest = z.output<typeof deletionRequest>
