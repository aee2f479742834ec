import { z } from 'zod'
import { word } from '@/sandbox/http/fields'
import { unprocessable } from '@/sandbox/http/problem'
import type { BankDetails } from '@/sandbox/paykeys/build-paykey'
import type { PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import { banks } from '@/sandbox/seed/names'
import { bankAccountBody } from './bridge-bodies'
import type { BridgeClaims } from './bridge-token'
import { offeredKinds, testAccountKinds, testAccountOf, testAccounts } from './test-accounts'

const { routing_number, account_number, account_type } = bankAccountBody.shape

/** Body from the hosted page: an account of a simulated bank, or typed numbers. */
export const linkChoice = z.discriminatedUnion('way', [
  z.strictObject({
    way: z.literal('bank'),
    bank: z.enum(
      banks.map(({ routing }) => routing),
      'must be the routing number of a test bank',
    ),
    account: word(testAccountKinds),
  }),
  z.strictObject({ way: z.literal('typed'), routing_number, account_number, account_type }),
])

type Chosen = { bank: BankDetails; source: PaykeySource; config: PaykeyConfig }

/**
 * Returns the bank account of a choice. An outcome in the token overrides that of the chosen account. Throws a 422 with `account` for one
 * the token does not offer.
 */
export function chosenBy(claims: BridgeClaims, choice: z.infer<typeof linkChoice>): Chosen {
  const { sandbox_outcome, processing_method } = claims
  if (choice.way === 'typed') {
    const { way, ...bank } = choice
    return { bank, source: 'bank_account', config: { sandbox_outcome, processing_method } }
  }
  if (!offeredKinds(claims).includes(choice.account)) {
    throw unprocessable('This account cannot be chosen here.', [{ reference: 'account', detail: 'is not offered with this token' }])
  }
  const outcome = sandbox_outcome === 'standard' ? testAccounts[choice.account].outcome : sandbox_outcome
  return {
    bank: testAccountOf(claims.customer_id, choice.bank, choice.account),
    source: 'mx',
    config: { sandbox_outcome: outcome, processing_method },
  }
}
