import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { PolicyProposalItem } from '@/components/approvals/list/policy-proposal'
import { ApprovalRequestTable } from '@/components/approvals/list/table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { Link } from '@/components/kits/layout/link'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { RefreshOnChanges } from '@/components/kits/layout/use-refresh'
import { getTabLinkClasses, TabCount, TabLinks } from '@/components/ui/tab-links'
import { loadWaitingProposal, type WaitingProposal } from '@/lib/features/approvals/server/proposal'
import { loadApprovalRequests } from '@/lib/features/approvals/server/requests'
import type { ApprovalRequest } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import { approvalsPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Approvals' }

const approvalTabs = {
  mine: { name: 'For you', empty: 'Nothing waits for your approval' },
  waiting: { name: 'All waiting', empty: 'No request waits for approval' },
  answered: { name: 'Decided', empty: 'No request was decided yet' },
} as const

type ApprovalTab = keyof typeof approvalTabs

const parseApprovalTab = (word: unknown): ApprovalTab =>
  word === 'waiting' || word === 'answered' ? word : 'mine'

const listRuleAccounts = (proposal: WaitingProposal | null) =>
  [proposal?.active, proposal?.proposed].flatMap(
    (version) => version?.policy.rules.map(({ account }) => account) ?? [],
  )

type ApprovalTabsProps = {
  context: PageContext
  current: ApprovalTab
  counts: Readonly<Record<ApprovalTab, number | null>>
}

const ApprovalTabs = ({ context, current, counts }: ApprovalTabsProps) => (
  <TabLinks label="Approvals" className="px-4 lg:px-6">
    {Object.entries(approvalTabs).map(([id, { name }]) => (
      <Link
        key={id}
        href={approvalsPath(context, { tab: id === 'mine' ? null : id })}
        className={getTabLinkClasses(id === current)}
        aria-current={id === current ? 'page' : undefined}
      >
        {name}
        {counts[id as ApprovalTab] !== null && (
          <TabCount>{String(counts[id as ApprovalTab])}</TabCount>
        )}
      </Link>
    ))}
  </TabLinks>
)

const NoRequests = ({ tab }: { tab: ApprovalTab }) => (
  <EmptyState className="px-4 lg:px-6" title={approvalTabs[tab].empty}>
    <p>
      The approval policy says what needs a second person. Nobody can approve their own request, and
      each one expires after 24 hours.
    </p>
  </EmptyState>
)

export default async function ApprovalsPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, approvalsPath(environment))
  const tab = parseApprovalTab(search.tab)
  const waitingRequests = await loadApprovalRequests(context, 'waiting')
  const requestsPersonCanAnswer = waitingRequests.filter(
    ({ disabled_reason }) => disabled_reason === null,
  )
  const tabRequests: readonly ApprovalRequest[] =
    tab === 'answered'
      ? await loadApprovalRequests(context, 'answered')
      : tab === 'mine'
        ? requestsPersonCanAnswer
        : waitingRequests
  const actor = await getCurrentActor()
  const proposal = actor && (await loadWaitingProposal(actor, context.environment))
  const proposalByTab = {
    mine: proposal?.disabledReason === null ? proposal : null,
    waiting: proposal,
    answered: null,
  }
  const tabProposal = proposalByTab[tab]
  const tabCounts = {
    mine: requestsPersonCanAnswer.length + Number(proposalByTab.mine !== null),
    waiting: waitingRequests.length + Number(proposal !== null),
    answered: null,
  }
  const accountIds = [
    ...tabRequests.map(({ action }) => action.account),
    ...listRuleAccounts(tabProposal),
  ]
  const contextWithAccounts = await addAccountsByIds(context, accountIds)
  return (
    <PageContextProvider context={contextWithAccounts}>
      <RefreshOnChanges resources={['actions']} />
      <div className="@container -mx-4 grid content-start lg:-mx-6">
        <PageHeader
          title="Approvals"
          meta="Requests that need a second person before anything is sent"
          className="px-4 lg:px-6"
        />
        <ApprovalTabs context={context} current={tab} counts={tabCounts} />
        {tabProposal && <PolicyProposalItem context={contextWithAccounts} {...tabProposal} />}
        {tabRequests.length > 0 && (
          <ApprovalRequestTable
            context={contextWithAccounts}
            requests={tabRequests}
            waiting={tab !== 'answered'}
            caption={approvalTabs[tab].name}
          />
        )}
        {tabRequests.length === 0 && !tabProposal && <NoRequests tab={tab} />}
      </div>
    </PageContextProvider>
  )
}
