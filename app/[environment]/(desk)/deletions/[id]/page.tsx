import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ObjectPageProps } from '@/app/_pages/own-page'
import { CertificateView } from '@/components/deletions/record/certificate'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { requestOf } from '@/lib/features/deletions/server/page'
import { isUuid } from '@/lib/formats'
import { deletionPath } from '@/lib/routes'
import { withNames } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Deletion' }

export default async function DeletionPage({ params, searchParams }: ObjectPageProps) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, deletionPath(environment, id))
  const found = isUuid(id) ? await requestOf(context, id) : null
  if (!found) notFound()
  return (
    <PageContextProvider context={await withNames(context, [found.view.account])}>
      <CertificateView request={found.view} certificate={found.certificate} />
    </PageContextProvider>
  )
}
