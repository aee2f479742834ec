import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PeopleDeniedNotice, PeopleList } from '@/components/people/list/people'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { listPeopleViews } from '@/lib/features/people/server/people'
import { getOperation } from '@/lib/operations/operations'
import { peoplePath } from '@/lib/routes'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'People' }

export default async function PeoplePage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, peoplePath(environment))
  const actor = await getCurrentActor()
  if (
    !actor ||
    whyNotAllowed(getRolesIn(actor.grants, context.environment, null), getOperation('people.list'))
  )
    return <PeopleDeniedNotice />
  const people = await listPeopleViews(actor)
  const accountIds = people.flatMap(({ grants }) => grants.map(({ account }) => account))
  return (
    <PageContextProvider context={await addAccountsByIds(context, accountIds)}>
      <PeopleList people={people} />
    </PageContextProvider>
  )
}
