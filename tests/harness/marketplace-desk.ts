import {
  addLimitedPerson,
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  createObjectViaDesk,
  listActiveAccounts,
} from './objects'
import { type Person, signIn } from './person'
import { waitUntil } from './wait-until'
import { startWholeDesk, type WholeDesk } from './whole-desk'

export const payReason = 'CONTRACT_DUE: agreed with the seller and due now'

export type MarketplaceDesk = Awaited<ReturnType<typeof startMarketplaceDesk>>

async function makeBuyer({ operator }: WholeDesk, outcome: string) {
  const customerBody = buildCustomerBody()
  const { made: customer } = await createObjectViaDesk(operator, '/customers', customerBody)
  const { made: paykey } = await createObjectViaDesk(
    operator,
    '/bridge/bank_account',
    buildBankAccountInput(customer.id, outcome),
  )
  return { customer, paykey, email: customerBody.email }
}

/** Creates a payout to the buyer's bank account for each seller, and waits until it is mirrored. */
async function payForSellers(desk: WholeDesk, paykeyId: string, sellers: readonly string[]) {
  const payoutIds: string[] = []
  for (const seller of sellers) {
    const path = `/payouts?account=acct_${seller}`
    const body = buildPayoutBody(paykeyId)
    const { made } = await createObjectViaDesk(desk.operator, path, body, { reason: payReason })
    payoutIds.push(made.id)
  }
  await desk.mirrored(payoutIds)
  await waitUntil('the sellers of the payouts in the mirror', async () => {
    const { rowCount } = await desk.db.query(
      'select 1 from mirror_payments where id = any($1) and account_id is not null',
      [payoutIds],
    )
    return rowCount === payoutIds.length ? true : null
  })
  return payoutIds
}

/**
 * A Paydesk of a marketplace with three sellers (accounts), and an operator with a role in each one
 * only, in the same order.
 */
export async function startMarketplaceDesk() {
  const desk = await startWholeDesk({ mirror: true, integration: 'marketplace' })
  const sellers = (await listActiveAccounts(desk.operator)).slice(0, 3)
  for (const [index, account] of sellers.entries())
    await addLimitedPerson(desk.db, `seller${index}@paydesk.test`, 'operator', account)
  const sellerPeople: Person[] = await Promise.all(
    sellers.map((_, index) => signIn(desk.dashboard.url, `seller${index}@paydesk.test`)),
  )
  return {
    ...desk,
    sellers,
    sellerPeople,
    makeBuyer: (outcome = 'active') => makeBuyer(desk, outcome),
    /** A buyer with one payout for each of the first two sellers. */
    makeBuyerOfTwoSellers: async () => {
      const buyer = await makeBuyer(desk, 'active')
      return {
        ...buyer,
        payoutIds: await payForSellers(desk, buyer.paykey.id, sellers.slice(0, 2)),
      }
    },
  }
}
