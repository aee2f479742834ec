import type { LimitRequestView } from '@/lib/features/limits/tracking'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { createViaDesk } from './objects'
import type { Person, WriteOptions } from './person'
import type { WholeDesk } from './whole-desk'

export type LimitDesk = Awaited<ReturnType<typeof startLimitDesk>>

export const limitReason = 'VOLUME_GROWTH: the account moves more than its limits were made for'
/** The limits of a new account, and higher limits. Amounts are in cents. */
export const initialLimits = { max_amount: 500_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 }
export const raisedLimits = { max_amount: 900_000, daily_amount: 8_000_000 }

export async function startLimitDesk(desk: WholeDesk) {
  const { sandbox, operator } = desk
  const ask = (account: string, overrides: object, { person = operator, ...beside }: WriteOptions & { person?: Person } = {}) =>
    person.write<CapabilityRequest[]>('POST', `/accounts/capability_requests?account=${account}`, overrides, {
      reason: limitReason,
      ...beside,
    })
  return {
    ...desk,
    /** Creates an account for one test. Returns its id in the form that URLs use. */
    newAccount: async (): Promise<string> => {
      const organizations = await operator.get<{ id: string }[]>('/api/sandbox/v1/organizations')
      const business_profile = { name: 'Harbour Lane DeskAndStore', website: 'https://harbour-lane.example.com' }
      const organization_id = organizations.body.data?.[0]?.id
      const body = { organization_id, account_type: 'business', access_level: 'standard', business_profile }
      return `acct_${(await createViaDesk(operator, '/accounts', body)).made.id}`
    },
    ask,
    askPayouts: (account: string, limits: object = raisedLimits, beside: Parameters<typeof ask>[2] = {}) =>
      ask(account, { payouts: { enable: true, ...limits } }, beside),
    tracked: (account: string, person = operator) => person.get<LimitRequestView[]>(`/api/sandbox/desk/limit-requests?account=${account}`),
    decide: async (id: string | undefined, status: string): Promise<void> => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const body = JSON.stringify({ kind: 'capability_request', id, status })
      const response = await fetch(`${sandbox.url}/sandbox/compliance`, { ...init, body })
      if (!response.ok) throw new Error(await response.text())
    },
    /** Returns the number of POST requests that reached the service after the request `seq`. */
    arrivedSince: async (seq: number) => (await sandbox.requests(seq)).filter((row) => row.method === 'POST').length,
  }
}
