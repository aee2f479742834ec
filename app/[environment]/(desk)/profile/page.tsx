import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { PageProps } from '@/app/_pages/open-page'
import { SecondFactorSettings } from '@/components/factors/second-factor'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { OwnRoles } from '@/components/profile/own-roles'
import { OwnPassword } from '@/components/profile/password'
import { OwnSessions } from '@/components/profile/sessions'
import { readProfile } from '@/lib/features/profile/server/operations'
import { profilePath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { findFactorSubstitutes } from '@/lib/server/auth/step-up/factor-substitutes'
import { readFactors } from '@/lib/server/auth/step-up/factors'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'
import { getDatabase } from '@/lib/server/store/store'

export const metadata: Metadata = { title: 'Your profile' }

export default async function ProfilePage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, profilePath(environment))
  const actor = await getCurrentActor()
  if (!actor) notFound()
  const db = await getDatabase()
  const [factors, profile, means] = await Promise.all([
    readFactors(db, actor.id),
    readProfile(actor),
    findFactorSubstitutes(db, actor),
  ])
  const accountIds = profile.grants.map(({ account }) => account)
  return (
    <PageContextProvider context={await addAccountsByIds(context, accountIds)}>
      <div className={pageClasses.text}>
        <PageHeader
          title="Your profile"
          meta="Your name, roles and sign-in, in every environment"
        />
        <OwnRoles profile={profile} />
        <OwnSessions sessions={profile.sessions} />
        <OwnPassword state={profile.password} />
        <SecondFactorSettings factors={factors} means={means} />
      </div>
    </PageContextProvider>
  )
}
