import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AuditDeniedNotice } from '@/components/audit/audit-errors'
import { AuditEntry } from '@/components/audit/detail'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { AppError } from '@/lib/errors'
import { loadAuditEntry } from '@/lib/features/audit/server/page'
import { auditPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Audit row' }

type Props = {
  params: Promise<{ environment: string; seq: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function AuditRowPage({ params, searchParams }: Props) {
  const [{ environment, seq }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, auditPath(environment))
  const actor = await getCurrentActor()
  if (!actor) return <AuditDeniedNotice />
  if (!/^[1-9]\d{0,14}$/.test(seq)) notFound()
  const auditEntryDetail = await loadAuditEntry(actor, context, Number(seq)).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') notFound()
      if (error instanceof AppError && error.code === 'forbidden') return null
      throw error
    },
  )
  if (!auditEntryDetail) return <AuditDeniedNotice />
  return (
    <PageContextProvider
      context={await addAccountsByIds(context, [auditEntryDetail.detail.row.account])}
    >
      <AuditEntry detail={auditEntryDetail.detail} decided={auditEntryDetail.decided} />
    </PageContextProvider>
  )
}
