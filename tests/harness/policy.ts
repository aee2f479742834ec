import type { PoliciesView, Policy } from '@/lib/operations/policies'
import { signIn } from './person'
import type { WholeDesk } from './whole-desk'

const jsonHeaders = { 'content-type': 'application/json' }

/** Replaces the policy in force: one admin proposes the new one, and another confirms it. */
export async function activatePolicy(
  { dashboard, signIn: signInAs }: Pick<WholeDesk, 'dashboard' | 'signIn'>,
  policy: Policy,
): Promise<void> {
  const admin = await signInAs('admin')
  const current = await admin.get<PoliciesView>('/api/sandbox/desk/policies')
  const proposal = await admin.post<PoliciesView>('/api/sandbox/desk/policies', {
    headers: jsonHeaders,
    body: JSON.stringify({
      based_on: current.body.data?.active.version,
      policy,
      reason: 'This test needs other rules.',
    }),
  })
  const version = proposal.body.data?.proposed?.version
  if (version === undefined) throw new Error(`The proposal got status ${proposal.status}`)
  const secondAdmin = await signIn(dashboard.url, 'admin2@paydesk.test')
  const path = `/api/sandbox/desk/policies/${version}/confirm`
  const confirmation = await secondAdmin.post(path, { headers: jsonHeaders, body: '{}' })
  if (confirmation.status !== 200)
    throw new Error(`The confirmation got status ${confirmation.status}`)
}
