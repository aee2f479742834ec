import type { LimitRequestView } from '@/lib/features/limits/tracking'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { createObjectViaDesk } from './objects'
import type { Person, WriteOptions } from './person'
import type { WholeDesk } from './whole-desk'

export type LimitRequestDesk = Awaited<ReturnType<typeof startLimitRequestDesk>>

export const limitRequestReason =
  'VOLUME_GROWTH: the account moves more than its limits were made for'
/** Limits of a new account, and higher limits. Amounts are in cents. */
export const initialLimits = {
  max_amount: 500_000,
  daily_amount: 5_000_000,
  monthly_amount: 50_000_000,
  monthly_count: 1_000,
}
export const raisedLimits = { max_amount: 900_000, daily_amount: 8_000_000 }

export async function startLimitRequestDesk(testStack: WholeDesk) {
  const { sandbox, operator } = testStack
  const requestLimitChange = (
    account: string,
    overrides: object,
    { person = operator, ...beside }: WriteOptions & { person?: Person } = {},
  ) =>
    person.write<CapabilityRequest[]>(
      'POST',
      `/accounts/capability_requests?account=${account}`,
      overrides,
      {
        reason: limitRequestReason,
        ...beside,
      },
    )
  return {
    ...testStack,
    /** Creates an account for one test. Returns its id in the form that URLs use. */
    newAccount: async (): Promise<string> => {
      const organizationsReply = await operator.get<{ id: string }[]>(
        '/api/sandbox/v1/organizations',
      )
      const business_profile = {
        name: 'Harbour Lane Books',
        website: 'https://harbour-lane.example.com',
      }
      const organization_id = organizationsReply.body.data?.[0]?.id
      const accountBody = {
        organization_id,
        account_type: 'business',
        access_level: 'standard',
        business_profile,
      }
      return `acct_${(await createObjectViaDesk(operator, '/accounts', accountBody)).made.id}`
    },
    ask: requestLimitChange,
    askPayouts: (
      account: string,
      limits: object = raisedLimits,
      beside: Parameters<typeof requestLimitChange>[2] = {},
    ) => requestLimitChange(account, { payouts: { enable: true, ...limits } }, beside),
    tracked: (account: string, person = operator) =>
      person.get<LimitRequestView[]>(`/api/sandbox/desk/limit-requests?account=${account}`),
    decide: async (id: string | undefined, status: string): Promise<void> => {
      const jsonPostInit = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const body = JSON.stringify({ kind: 'capability_request', id, status })
      const response = await fetch(`${sandbox.url}/sandbox/compliance`, { ...jsonPostInit, body })
      if (!response.ok) throw new Error(await response.text())
    },
    /**
     * Returns the number of POST requests that reached the service after the request with the
     * sequence number `seq`.
     */
    arrivedSince: async (seq: number) =>
      (await sandbox.requests(seq)).filter((row) => row.method === 'POST').length,
  }
}
