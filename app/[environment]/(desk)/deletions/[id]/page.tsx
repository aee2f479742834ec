import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ObjectPageProps } from '@/app/_pages/open-page'
import { CertificateView } from '@/components/deletions/record/certificate'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { loadDeletion } from '@/lib/features/deletions/server/page'
import { isUuid } from '@/lib/formats'
import { deletionPath } from '@/lib/routes'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Deletion' }

export default async function DeletionPage({ params, searchParams }: ObjectPageProps) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, deletionPath(environment, id))
  const deletion = isUuid(id) ? await loadDeletion(context, id) : null
  if (!deletion) notFound()
  return (
    <PageContextProvider context={await addAccountsByIds(context, [deletion.view.account])}>
      <CertificateView request={deletion.view} certificate={deletion.certificate} />
    </PageContextProvider>
  )
}
