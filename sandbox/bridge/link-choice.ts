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

/** What the hosted page sends: an account of an imitated bank, or numbers that were typed. */
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

/** The bank account that was chosen, how it was learnt, and what the paykey's configuration becomes by it. */
type Chosen = { bank: BankDetails; source: PaykeySource; config: PaykeyConfig }

/**
 * What a choice stands for. The outcome a token asks for goes before that of the chosen account. Throws the 422 that names `account` for one
 * the token does not let choose.
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
