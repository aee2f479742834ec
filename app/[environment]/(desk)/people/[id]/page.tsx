import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PeopleDeniedNotice } from '@/components/people/list/people'
import { PersonRecord } from '@/components/people/record/panel'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { readPersonDetail } from '@/lib/features/people/server/people'
import { isUuid } from '@/lib/formats'
import { getOperation } from '@/lib/operations/operations'
import { personPath } from '@/lib/routes'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Person' }

type Props = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function PersonPage({ params, searchParams }: Props) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, personPath(environment, id))
  const actor = await getCurrentActor()
  if (
    !actor ||
    whyNotAllowed(getRolesIn(actor.grants, context.environment, null), getOperation('people.list'))
  )
    return <PeopleDeniedNotice />
  if (!isUuid(id.toLowerCase())) notFound()
  const person = await readPersonDetail(id.toLowerCase(), actor).catch(() => notFound())
  return (
    <PageContextProvider
      context={
        await addAccountsByIds(
          context,
          person.grants.map(({ account }) => account),
        )
      }
    >
      <PersonRecord person={person} />
    </PageContextProvider>
  )
}
