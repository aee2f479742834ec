import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { AuditPageView } from '@/components/audit/audit'
import { AuditDeniedNotice, AuditFailedNotice } from '@/components/audit/audit-errors'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { AppError } from '@/lib/errors'
import { loadAuditView } from '@/lib/features/audit/server/page'
import { auditPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Audit' }

export default async function AuditPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, auditPath(environment, search))
  const actor = await getCurrentActor()
  if (!actor) return <AuditDeniedNotice />
  const view = await loadAuditView(actor, context, search).catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  if (view instanceof AppError)
    return view.code === 'forbidden' ? (
      <AuditDeniedNotice />
    ) : (
      <AuditFailedNotice error={view.toWire()} />
    )
  return (
    <PageContextProvider
      context={
        await addAccountsByIds(
          context,
          view.rows.map(({ account }) => account),
        )
      }
    >
      <AuditPageView view={view} />
    </PageContextProvider>
  )
}
