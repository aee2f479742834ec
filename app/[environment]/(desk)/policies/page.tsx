import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { PoliciesPageView } from '@/components/approvals/policy/policies'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { loadPoliciesView } from '@/lib/features/approvals/server/policies'
import { getOperation } from '@/lib/operations/operations'
import { policiesPath } from '@/lib/routes'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Approval policy' }

export default async function PoliciesPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, policiesPath(environment))
  const actor = await getCurrentActor()
  const roles = actor ? getRolesIn(actor.grants, context.environment, null) : []
  const notAllowedReason = whyNotAllowed(roles, getOperation('policies.read'))
  if (!actor || notAllowedReason) return <PoliciesNotAllowed why={notAllowedReason} />
  const view = await loadPoliciesView(actor)
  const policyRules = [view.active, view.proposed].flatMap((version) => version?.policy.rules ?? [])
  const accountIds = policyRules.flatMap(({ account }) => (account ? [account] : []))
  return (
    <PageContextProvider context={await addAccountsByIds(context, accountIds)}>
      <PoliciesPageView
        view={view}
        whyNotChange={whyNotAllowed(roles, getOperation('policies.propose'))}
      />
    </PageContextProvider>
  )
}

const PoliciesNotAllowed = ({ why }: { why: string | null }) => (
  <EmptyState level={1} tone="bad" title="You don’t have access to the approval policy">
    <p>{why} The role has to be held for the whole platform. An admin can grant it.</p>
  </EmptyState>
)
