import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { CertificateView } from '@/components/deletions/certificate-view'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { deletionPath } from '@/lib/routes'
import { requestOf } from '@/lib/server/deletion-page'
import { openDesk } from '@/lib/server/desk'

export const metadata: Metadata = { title: 'Deletion' }

type Props = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export default async function DeletionPage({ params, searchParams }: Props) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, deletionPath(environment, id))
  const found = uuid.test(id) ? await requestOf(desk, id) : null
  if (!found) notFound()
  return (
    <DeskProvider desk={desk}>
      <CertificateView request={found.view} certificate={found.certificate} />
    </DeskProvider>
  )
}
