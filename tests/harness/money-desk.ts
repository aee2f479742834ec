import { addLimitedPerson, buildPayoutBody, listActiveAccounts, makePaykey } from './objects'
import { goodReason, type Person, type Reply, signIn } from './person'
import type { MadePayout } from './sandbox'
import { openSharedDesk } from './shared-desk'
import type { WholeDesk } from './whole-desk'

const writeOptionsWithReason = { reason: goodReason }

/** Returns functions that write payouts of an account. All amounts are in cents. */
const createPayoutWriters = (account: string, paykeyId: string) => ({
  createPayout: (person: Person, amount: number) =>
    person.write<{ id: string }>(
      'POST',
      `/payouts?account=${account}`,
      buildPayoutBody(paykeyId, { amount }),
      writeOptionsWithReason,
    ),
  changePayout: (person: Person, { id }: { id: string }, amount: number) => {
    const { description, payment_date } = buildPayoutBody(paykeyId)
    return person.write(
      'PUT',
      `/payouts/${id}?account=${account}`,
      { description, payment_date, amount },
      writeOptionsWithReason,
    )
  },
  sendRelease: (person: Person, payout: MadePayout) => person.decide('release', payout),
  sendResubmit: (person: Person, { id }: { id: string }) =>
    person.write<{ id: string }>(
      'POST',
      `/payouts/${id}/resubmit?account=${account}`,
      {},
      writeOptionsWithReason,
    ),
})

/** Returns functions that create and write charges of an account. */
const createChargeWriters = ({ sandbox }: WholeDesk, account: string) => ({
  createCharge: async (fields: Record<string, unknown>): Promise<{ id: string }> => {
    const response = await fetch(`${sandbox.url}/sandbox/objects/charges`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: account.slice(5), ...fields }),
    })
    const createdObject = (await response.json()) as { id?: string; data?: { id: string } }
    return { id: createdObject.data?.id ?? createdObject.id ?? '' }
  },
  /**
   * Sends a write about a charge. If the response lists warnings, sends the write again with all of
   * them acknowledged.
   */
  writeToCharge: async (
    person: Person,
    method: 'POST' | 'PUT',
    verb: string,
    { id }: { id: string },
    body: object,
  ): Promise<Reply> => {
    const sendWithWarnings = (acknowledgedWarnings: string) =>
      person.write(method, `/charges/${id}/${verb}?account=${account}`, body, {
        ...writeOptionsWithReason,
        headers: { 'action-warnings': acknowledgedWarnings },
      })
    const firstReply = await sendWithWarnings('')
    const warningIds = (firstReply.body.error?.items ?? []).map(({ reference }) =>
      reference.replace('warnings.', ''),
    )
    return warningIds.length > 0 ? sendWithWarnings(warningIds.join(',')) : firstReply
  },
})

export type MoneyDesk = Awaited<ReturnType<typeof openMoneyDesk>>

/** Returns a running Paydesk with an account, and functions that move money of that account. */
export async function openMoneyDesk() {
  const testStack = await openSharedDesk()
  const [accountId = ''] = await listActiveAccounts(testStack.operator)
  const account = `acct_${accountId}`
  const paykeyId = (await makePaykey(testStack.operator, account)).paykey.id
  let personCount = 0
  return {
    testStack,
    account,
    /** Creates an operator who has not moved any money today. */
    createOperator: async (): Promise<Person> => {
      personCount += 1
      const email = `mover-${personCount}@paydesk.test` as const
      await addLimitedPerson(testStack.db, email, 'operator', accountId)
      return signIn(testStack.dashboard.url, email)
    },
    makeHeldPayout: (amount: number): Promise<MadePayout> =>
      testStack.sandbox.makePayout({ amount, account_id: accountId }),
    ...createPayoutWriters(account, paykeyId),
    ...createChargeWriters(testStack, account),
  }
}

/**
 * Functions that send a write with the given amount in cents, by name: one for each kind of write
 * that the policy limits by amount.
 */
export const moneyActions: Record<
  string,
  (desk: MoneyDesk, person: Person, amount: number) => Promise<Reply>
> = {
  'payouts.create': (desk, person, amount) => desk.createPayout(person, amount),
  'payouts.release': async (desk, person, amount) =>
    desk.sendRelease(person, await desk.makeHeldPayout(amount)),
  'payouts.update, raised': async (desk, person, amount) =>
    desk.changePayout(person, await desk.makeHeldPayout(100), amount),
  'payouts.update, lowered': async (desk, person, amount) =>
    desk.changePayout(person, await desk.makeHeldPayout(amount), 100),
  'payouts.resubmit': async (desk, person, amount) =>
    desk.sendResubmit(
      person,
      await desk.testStack.sandbox.makePayout({
        amount,
        status: 'failed',
        account_id: desk.account.slice(5),
      }),
    ),
  'charges.refund': async (desk, person, amount) =>
    desk.writeToCharge(
      person,
      'POST',
      'refund',
      await desk.createCharge({ amount: 900_000, status: 'paid' }),
      { amount },
    ),
  'charges.release': async (desk, person, amount) =>
    desk.writeToCharge(person, 'PUT', 'release', await desk.createCharge({ amount }), {
      reason: goodReason,
    }),
}
